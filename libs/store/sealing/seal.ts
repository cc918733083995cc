import { createCipheriv, createDecipheriv, randomFillSync, type KeyObject } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * Sealed bytes: one byte that says how the text is packed, a 12-byte nonce, the AES-256-GCM ciphertext, a 16-byte tag.
 * That byte and the place (`stream|version|type`) are authenticated, so that a sealed text cannot be moved to another row.
 */
const PLAIN = 0;
const DEFLATED = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Below this, packing costs more than it saves. */
const DEFLATE_FROM_BYTES = 1024;
/** A short text fits into a small window; setting up the usual one takes longer than packing it. */
const SMALL_TEXT_BYTES = 4096;
const SMALL_WINDOW = { windowBits: 12, memLevel: 5 };
/** Far above any job's document. A decompression bomb could come only from a bug, since sealing takes the key. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** A text as it is sealed. */
export interface Packed {
  packing: number;
  bytes: Buffer;
}

/** @param text or its bytes in UTF-8, if the caller has them already */
export const seal = (key: KeyObject, place: string, text: string | Buffer): Buffer => sealPacked(key, place, pack(text));

export function pack(text: string | Buffer): Packed {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
  return bytes.length < DEFLATE_FROM_BYTES ? { packing: PLAIN, bytes } : { packing: DEFLATED, bytes: deflate(bytes) };
}

/** For a text that is packed once and sealed many times. */
export function sealPacked(key: KeyObject, place: string, { packing, bytes }: Packed): Buffer {
  const nonce = freshNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(authenticated(packing, place));
  return Buffer.concat([Buffer.of(packing), nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** The output gets a buffer of the text's length, since it is never longer: buffers of the default size keep the garbage collector busy. */
const deflate = (bytes: Buffer): Buffer =>
  deflateRawSync(bytes, { level: 1, chunkSize: bytes.length, ...(bytes.length <= SMALL_TEXT_BYTES && SMALL_WINDOW) });

/** Random bytes are drawn for many nonces at once, since drawing few takes as long. Each is used once. */
const nonces = Buffer.alloc(1024 * NONCE_BYTES);
let usedBytes = nonces.length;

function freshNonce(): Buffer {
  if (usedBytes === nonces.length) {
    randomFillSync(nonces);
    usedBytes = 0;
  }
  usedBytes += NONCE_BYTES;
  return nonces.subarray(usedBytes - NONCE_BYTES, usedBytes);
}

/** @throws Unsealable if the key, the place or a single bit is not the one that was sealed. */
export const unseal = (key: KeyObject, place: string, sealed: Buffer): string => unsealBytes(key, place, sealed).toString('utf8');

/** The same as UTF-8, for a text that is only forwarded. */
export function unsealBytes(key: KeyObject, place: string, sealed: Buffer): Buffer {
  try {
    const packing = sealed[0];
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticated(packing, place));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const packed = Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return packing === DEFLATED ? inflateRawSync(packed, { maxOutputLength: MAX_TEXT_BYTES }) : packed;
  } catch (cause) {
    const why = 'it was changed, or MASTER_KEY is not the one it was sealed under';
    const [of = place] = place.split('|', 1);
    throw new Unsealable(`the sealed content of ${place} cannot be opened: ${why}`, of, { cause });
  }
}

const authenticated = (packing: number | undefined, place: string): Buffer => Buffer.from(`${packing}|${place}`);

export class Unsealable extends Error {
  override readonly name = 'Unsealable';

  /** @param of the thread or job that the content belongs to */
  constructor(
    message: string,
    readonly of: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** For `catch`: null for content that cannot be opened. @throws any other error as it is */
export function unlessUnsealable(error: unknown): null {
  if (error instanceof Unsealable) return null;
  throw error;
}

export const eventPlace = (streamId: string, version: number, type: string): string => `${streamId}|${version}|${type}`;
export const documentPlace = (jobId: string): string => `${jobId}|document`;
