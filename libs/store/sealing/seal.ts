import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Sealed bytes: one byte that says how the text is packed, a 12-byte nonce, the AES-256-GCM ciphertext, a 16-byte tag.
 * The place (`stream|version|type`) is authenticated, so that a sealed text cannot be moved to another row.
 */
const PLAIN = 0;
const DEFLATED = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Below this, packing costs more than it saves. */
const DEFLATE_FROM_BYTES = 256;
/** Far above any job's document; a sealed bomb cannot be made without the key, a bug could. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

export function seal(key: KeyObject, place: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const packing = bytes.length < DEFLATE_FROM_BYTES ? PLAIN : DEFLATED;
  const packed = packing === PLAIN ? bytes : deflateRawSync(bytes, { level: 1 });
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(place));
  return Buffer.concat([Buffer.of(packing), nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Unsealable if the key, the place or a single bit is not the one that was sealed. */
export function unseal(key: KeyObject, place: string, sealed: Buffer): string {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const packed = Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    const bytes = sealed[0] === DEFLATED ? inflateRawSync(packed, { maxOutputLength: MAX_TEXT_BYTES }) : packed;
    return bytes.toString('utf8');
  } catch (cause) {
    throw new Unsealable(
      `the sealed content of ${place} cannot be opened: it was changed, or MASTER_KEY is not the one it was sealed under`,
      {
        cause,
      },
    );
  }
}

export class Unsealable extends Error {
  override readonly name = 'Unsealable';
}

export const eventPlace = (streamId: string, version: number, type: string): string => `${streamId}|${version}|${type}`;
export const documentPlace = (jobId: string): string => `${jobId}|document`;
