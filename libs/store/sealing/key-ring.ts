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

export interface NewThreadKey {
  key: KeyObject;
  kekId: string;
  wrapped: Buffer;
}

/** The key-encryption key that wraps each thread's data key. Its id is the first half of its digest: it names, it does not reveal. */
export class KeyRing {
  readonly kekId: string;
  private readonly master: KeyObject;
  private readonly digests: KeyObject;

  /** @param masterKey 32 bytes */
  constructor(masterKey: Buffer) {
    if (masterKey.length !== 32) throw new Error(`MASTER_KEY has ${masterKey.length} bytes: it must be 32 bytes, base64`);
    this.master = createSecretKey(masterKey);
    this.digests = createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', 'digests', 32)));
    this.kekId = createHash('sha256').update(masterKey).digest('hex').slice(0, 16);
  }

  create(threadId: string): NewThreadKey {
    const raw = randomBytes(32);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.master, nonce);
    cipher.setAAD(Buffer.from(threadId));
    const wrapped = Buffer.concat([nonce, cipher.update(raw), cipher.final(), cipher.getAuthTag()]);
    return { key: createSecretKey(raw), kekId: this.kekId, wrapped: ownCopy(wrapped) };
  }

  /** Recognizes a text without keeping it: nobody without the master key can try what it was. */
  digestOf(text: string): Buffer {
    return createHmac('sha256', this.digests).update(text).digest();
  }

  /** Seals what must outlive its thread's key. */
  seal(place: string, text: string): Buffer {
    return seal(this.master, place, text);
  }

  unseal(place: string, sealed: Buffer): string {
    return unseal(this.master, place, sealed);
  }

  /** @throws Unsealable if it was wrapped under another key or for another thread, or was changed */
  unwrap(threadId: string, kekId: string, wrapped: Buffer): KeyObject {
    if (kekId !== this.kekId) {
      throw new Unsealable(
        `thread ${threadId} was sealed under key ${kekId}, MASTER_KEY is ${this.kekId}: set the MASTER_KEY that was in use`,
        threadId,
      );
    }
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.master, wrapped.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(threadId));
      decipher.setAuthTag(wrapped.subarray(-TAG_BYTES));
      return createSecretKey(Buffer.concat([decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]));
    } catch (cause) {
      throw new Unsealable(`the key of thread ${threadId} cannot be opened: it was changed since it was wrapped`, threadId, { cause });
    }
  }
}
