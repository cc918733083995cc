import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { ownCopy } from './own-copy';
import { seal, unseal, Unsealable } from './seal';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface WrappedKey {
  kekId: string;
  wrapped: Buffer;
}

export interface NewThreadKey extends WrappedKey {
  key: KeyObject;
}

interface MasterKey {
  /** The first 16 hexadecimal digits of its SHA-256: they name it and do not reveal it. */
  id: string;
  key: KeyObject;
  digests: KeyObject;
}

/** The master keys, which wrap each thread's data key. The newest one seals; each opens what was sealed under it. */
export class KeyRing {
  /** Newest first. */
  readonly kekIds: readonly string[];
  private readonly keys: readonly MasterKey[];
  private readonly newest: MasterKey;

  /** @param masterKeys of 32 bytes each, newest first */
  constructor(masterKeys: readonly Buffer[]) {
    this.keys = masterKeys.map(masterKeyOf);
    this.kekIds = this.keys.map(({ id }) => id);
    const [newest] = this.keys;
    if (!newest) throw new Error('MASTER_KEYS is empty: it must hold at least one key');
    this.newest = newest;
  }

  get kekId(): string {
    return this.newest.id;
  }

  create(threadId: string): NewThreadKey {
    const raw = randomBytes(32);
    return { key: createSecretKey(raw), ...this.wrap(threadId, raw) };
  }

  /**
   * Digests that recognize a text without storing it; without a master key nobody can guess the text from them. One for each key, newest first, so
   * that a process without the newest key recognizes the text too.
   */
  digestsOf(text: string): [Buffer, ...Buffer[]] {
    return this.keys.map(({ digests }) => createHmac('sha256', digests).update(text).digest()) as [Buffer, ...Buffer[]];
  }

  /** Seals content that must outlive its thread's key. */
  seal(place: string, text: string): Buffer {
    return seal(this.newest.key, place, text);
  }

  /** @throws Unsealable */
  unseal(place: string, sealed: Buffer): string {
    return this.open(place, sealed).text;
  }

  /** The key that it is sealed under; null if none of these opens it. */
  sealedUnder(place: string, sealed: Buffer): string | null {
    try {
      return this.open(place, sealed).kekId;
    } catch (error) {
      if (error instanceof Unsealable) return null;
      throw error;
    }
  }

  /** @throws Unsealable if it was wrapped under another key or for another thread, or was changed */
  unwrap(threadId: string, kekId: string, wrapped: Buffer): KeyObject {
    return createSecretKey(this.rawKey(threadId, kekId, wrapped));
  }

  /**
   * The same data key under the newest master key.
   * @throws Unsealable like `unwrap`
   */
  rewrap(threadId: string, { kekId, wrapped }: WrappedKey): WrappedKey {
    return this.wrap(threadId, this.rawKey(threadId, kekId, wrapped));
  }

  private wrap(threadId: string, raw: Buffer): WrappedKey {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.newest.key, nonce);
    cipher.setAAD(Buffer.from(threadId));
    const wrapped = Buffer.concat([nonce, cipher.update(raw), cipher.final(), cipher.getAuthTag()]);
    return { kekId: this.newest.id, wrapped: ownCopy(wrapped) };
  }

  private rawKey(threadId: string, kekId: string, wrapped: Buffer): Buffer {
    const master = this.keys.find(({ id }) => id === kekId);
    if (!master) throw new Unsealable(`thread ${threadId} was sealed under key ${kekId}, ${this.remedy()}`, threadId);
    try {
      const decipher = createDecipheriv('aes-256-gcm', master.key, wrapped.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(threadId));
      decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch (cause) {
      throw new Unsealable(`the key of thread ${threadId} cannot be opened: it was changed since it was wrapped`, threadId, { cause });
    }
  }

  /** Lists the available keys and what to do about a missing one. */
  remedy(): string {
    const known = this.keys.length === 1 ? `MASTER_KEY is ${this.kekId}` : `MASTER_KEYS are ${this.kekIds.join(', ')}`;
    return `${known}: set the MASTER_KEY that was in use, or add it to MASTER_KEYS`;
  }

  private open(place: string, sealed: Buffer): { kekId: string; text: string } {
    let failure: unknown;
    for (const { id, key } of this.keys) {
      try {
        return { kekId: id, text: unseal(key, place, sealed) };
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }
}

function masterKeyOf(masterKey: Buffer): MasterKey {
  if (masterKey.length !== 32) throw new Error(`MASTER_KEY has ${masterKey.length} bytes: it must be 32 bytes, base64`);
  return {
    id: createHash('sha256').update(masterKey).digest('hex').slice(0, 16),
    key: createSecretKey(masterKey),
    digests: createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', 'digests', 32))),
  };
}
