import { parseCheckpoint, type Checkpoint } from '@lib/audit/format/checkpoint';
import { parseNote, signersOf, type Note, type VerifierKey } from '@lib/audit/format/signed-note';
import { messageOfError } from '@lib/domain/message-of-error';
import type { StoredCheckpoint } from '@lib/store/log/checkpoints';

const UNTRUSTED = 'is signed by no key that you named or that signed what you kept: if the log has changed keys, name each key with --key';
const UNSIGNED = 'is not signed by a key of the log';
const CHANGED = 'has a signature that is not of the key that it names: the signature, or what it is under, was changed';

/**
 * The keys that an auditor trusts: those that were named, and those that signed what the auditor holds. A key that signed a stored checkpoint beside
 * one of them is not trusted for it: no signature covers the others, so whoever can write to the database can add a line of their own. If the auditor
 * named and holds nothing, keys that only the database vouches for are trusted.
 */
export class TrustedKeys {
  private readonly trusted = new Set<string>();

  /**
   * @param stored as the database tells them
   * @param named by the auditor
   */
  constructor(
    private readonly stored: readonly VerifierKey[],
    private readonly named: readonly VerifierKey[],
  ) {
    for (const key of named) this.trusted.add(idOf(key));
  }

  /** Trusts who signed a note that the auditor holds. @returns what is wrong with it, or null */
  hold(note: Note): string | null {
    const signers = signersOf(note, [...this.named, ...this.stored]);
    if (signers === null) return CHANGED;
    if (signers.length === 0) return 'was signed by no key that the database or `--key` tells';
    if (this.named.length > 0 && !signers.some((key) => this.trusted.has(idOf(key))))
      return `was signed by no key that \`--key\` tells${this.otherLog(note)}`;
    for (const key of signers) this.trusted.add(idOf(key));
    return null;
  }

  /** Says that the keys which the auditor named are of another log, if none has the name of one that signed. */
  private otherLog({ signatures }: Note): string {
    const signed = signatures.map(({ name }) => name);
    if (this.named.length === 0 || this.named.some(({ name }) => signed.includes(name))) return '';
    return `. It is signed as ${signed.join(', ')}, and the key that you named is of ${this.named.map(({ name }) => name).join(', ')}`;
  }

  /** For a note that is no checkpoint. @returns what is wrong with its signatures, or null */
  wrongWith(note: Note): string | null {
    const signers = signersOf(note, [...this.named, ...this.stored]);
    if (signers === null) return CHANGED;
    if (signers.length === 0) return UNSIGNED;
    const isBelieved = this.trusted.size === 0 || signers.some((key) => this.trusted.has(idOf(key)));
    return isBelieved ? null : `${UNTRUSTED}${this.otherLog(note)}`;
  }

  /** @returns what a stored checkpoint says, or what is wrong with it */
  read({ origin, size, note: text, signedAt }: StoredCheckpoint): Checkpoint | string {
    try {
      const note = parseNote(text);
      const wrong = this.wrongWith(note);
      if (wrong === CHANGED || wrong === UNSIGNED) return wrong;
      const checkpoint = parseCheckpoint(note.text);
      if (checkpoint.origin !== origin || checkpoint.size !== size || checkpoint.time !== signedAt.toISOString())
        return 'is not stored as what it says';
      return wrong ?? checkpoint;
    } catch (error) {
      return messageOfError(error);
    }
  }
}

const idOf = ({ publicKey }: VerifierKey): string => publicKey.toString('hex');
