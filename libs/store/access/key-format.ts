import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key is `rt_live_<key id>_<secret><checksum>`, all base62: 12 characters that name the key, 32 that are secret, and
 * the CRC-32 of everything before it in 6. The checksum lets a mistyped key be refused without asking the database.
 */
export const KEY_PREFIX = 'rt_live_';
export const KEY_ID_LENGTH = 12;
const SECRET_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = new RegExp(`^${KEY_PREFIX}([0-9A-Za-z]{${KEY_ID_LENGTH}})_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

export interface GeneratedKey {
  keyId: string;
  /** The whole key. It is shown once to its maker, and only its HMAC is stored. */
  keyText: string;
}

export function generateKey(): GeneratedKey {
  const keyId = randomText(KEY_ID_LENGTH);
  const text = `${KEY_PREFIX}${keyId}_${randomText(SECRET_LENGTH)}`;
  return { keyId, keyText: text + checksum(text) };
}

/** The key id within a well-formed key whose checksum is right; null for any other text. */
export function keyIdOf(keyText: string): string | null {
  const keyId = KEY.exec(keyText)?.[1];
  if (keyId === undefined) return null;
  return checksum(keyText.slice(0, -CHECKSUM_LENGTH)) === keyText.slice(-CHECKSUM_LENGTH) ? keyId : null;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
