import { parseCheckpoint, type Checkpoint } from '@lib/audit/format/checkpoint';
import { parseNote, signersOf, type Note, type VerifierKey } from '@lib/audit/format/signed-note';
import { messageOfError } from '@lib/domain/message-of-error';
import type { StoredCheckpoint } from '@lib/store/log/checkpoints';

const UNTRUSTED = 'signed by no key that you named or that signed what you kept: if the log has changed keys, name each key with --key';

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
    if (signers === null) return 'has a signature that is not of the key that it names';
    if (signers.length === 0) return 'was signed by no key that the database or `--key` tells';
    if (this.named.length > 0 && !signers.some((key) => this.trusted.has(idOf(key)))) return 'was signed by no key that `--key` tells';
    for (const key of signers) this.trusted.add(idOf(key));
    return null;
  }

  /** For a note that is no checkpoint. @returns what is wrong with its signatures, or null */
  wrongWith(note: Note): string | null {
    const signers = signersOf(note, [...this.named, ...this.stored]);
    if (signers === null || signers.length === 0) return 'is not signed by a key of the log';
    const isBelieved = this.trusted.size === 0 || signers.some((key) => this.trusted.has(idOf(key)));
    return isBelieved ? null : `is ${UNTRUSTED}`;
  }

  /** @returns what a stored checkpoint says, or what is wrong with it */
  read({ origin, size, note: text, signedAt }: StoredCheckpoint): Checkpoint | string {
    try {
      const note = parseNote(text);
      const signers = signersOf(note, [...this.named, ...this.stored]);
      if (signers === null || signers.length === 0) return 'is not signed by a key of the log';
      const checkpoint = parseCheckpoint(note.text);
      if (checkpoint.origin !== origin || checkpoint.size !== size || checkpoint.time !== signedAt.toISOString())
        return 'is not stored as what it says';
      const isTrusted = this.trusted.size === 0 || signers.some((key) => this.trusted.has(idOf(key)));
      return isTrusted ? checkpoint : `is ${UNTRUSTED}`;
    } catch (error) {
      return messageOfError(error);
    }
  }
}

const idOf = ({ publicKey }: VerifierKey): string => publicKey.toString('hex');
