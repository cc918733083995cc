import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** Notes as the C2SP specification "signed-note" defines them: a text, an empty line, and a line for each signature. */

/** The kind of signature: `1` signs the text itself; `4` is a witness's, with the time at which it saw the text (C2SP "tlog-cosignature"). */
export type SignatureType = 1 | 4;

export interface VerifierKey {
  name: string;
  type: SignatureType;
  publicKey: Buffer;
}

export interface SignerKey extends VerifierKey {
  privateKey: KeyObject;
}

export interface Signature {
  name: string;
  /** 8 hexadecimal digits. */
  keyId: string;
  bytes: Buffer;
  /** The signature's line in the note. */
  line: string;
}

export interface Note {
  /** Includes the final newline. */
  text: string;
  signatures: Signature[];
}

const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const ID_BYTES = 4;
const TIME_BYTES = 8;
const ED25519_BYTES = 64;
const MAX_NOTE_LENGTH = 65_536;
const NAME = /^[^\s+\p{Z}\p{C}]+$/u;
const SIGNATURE_LINE = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/;

/** @param seed 32 bytes that nobody else knows: an Ed25519 private key */
export function signerKey(name: string, seed: Buffer): SignerKey {
  const privateKey = createPrivateKey({ key: Buffer.concat([SEED_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return { name, type: 1, publicKey, privateKey };
}

export const isKeyName = (name: string): boolean => NAME.test(name);

/** The first four bytes of `SHA-256(name || 0x0A || type || public key)`, in hexadecimal digits. */
export function keyIdOf({ name, type, publicKey }: VerifierKey): string {
  return createHash('sha256')
    .update(`${name}\n`)
    .update(Buffer.of(type))
    .update(publicKey)
    .digest('hex')
    .slice(0, 2 * ID_BYTES);
}

/** `name+id+base64(type || public key)`, the format in which verifiers of notes expect keys. */
export const textOfKey = (key: VerifierKey): string =>
  `${key.name}+${keyIdOf(key)}+${Buffer.concat([Buffer.of(key.type), key.publicKey]).toString('base64')}`;

/** @throws Error that tells the problem with the text */
export function keyOfText(text: string): VerifierKey {
  const [, name = '', id, encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  const [type] = bytes;
  if (!isKeyName(name) || (type !== 1 && type !== 4) || bytes.length !== 1 + KEY_BYTES || bytes.toString('base64') !== encoded)
    throw new Error('must be a verifier key, name+id+key, of Ed25519');
  const key: VerifierKey = { name, type, publicKey: bytes.subarray(1) };
  if (keyIdOf(key) !== id) throw new Error(`has the id ${id}, and that of this name and key is ${keyIdOf(key)}`);
  return key;
}

/** @param text ends with a newline */
export function signedNote(text: string, keys: readonly SignerKey[]): string {
  return `${text}\n${keys.map((key) => signatureLine(key, sign(null, Buffer.from(text), key.privateKey))).join('')}`;
}

const signatureLine = (key: SignerKey, bytes: Buffer): string =>
  `— ${key.name} ${Buffer.concat([Buffer.from(keyIdOf(key), 'hex'), bytes]).toString('base64')}\n`;

const cosigned = (text: string, seconds: bigint): Buffer => Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}`);

/** @throws Error if it is no signed note */
export function parseNote(note: string): Note {
  const end = note.lastIndexOf('\n\n');
  if (end < 1 || note.length > MAX_NOTE_LENGTH || !note.endsWith('\n')) throw new Error('is not a signed note');

  if (/[\u0000-\u0009\u000b-\u001f]/.test(note)) throw new Error('is not a signed note: it has control characters');
  return { text: note.slice(0, end + 1), signatures: parseSignatures(note.slice(end + 2)) };
}

/** @throws Error if a line is no signature */
export function parseSignatures(lines: string): Signature[] {
  if (!lines.endsWith('\n')) throw new Error('has a signature without an end');
  return lines
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
      const bytes = Buffer.from(encoded, 'base64');
      if (!isKeyName(name) || bytes.length <= ID_BYTES || bytes.toString('base64') !== encoded)
        throw new Error('has a line that is no signature');
      return { name, keyId: bytes.toString('hex', 0, ID_BYTES), bytes: bytes.subarray(ID_BYTES), line };
    });
}

/**
 * Which of the given keys signed a note.
 * @returns null if a signature names one of these keys but was not made with it
 */
export function signersOf({ text, signatures }: Note, keys: readonly VerifierKey[]): VerifierKey[] | null {
  const signers: VerifierKey[] = [];
  for (const signature of signatures) {
    const named = keys.filter((key) => key.name === signature.name && keyIdOf(key) === signature.keyId);
    if (named.length === 0) continue;
    const signer = named.find((key) => isSigned(text, signature.bytes, key));
    if (!signer) return null;
    signers.push(signer);
  }
  return signers;
}

function isSigned(text: string, bytes: Buffer, { type, publicKey }: VerifierKey): boolean {
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
  if (type === 1) return bytes.length === ED25519_BYTES && verify(null, Buffer.from(text), key, bytes);
  if (bytes.length !== TIME_BYTES + ED25519_BYTES) return false;
  return verify(null, cosigned(text, bytes.readBigUInt64BE(0)), key, bytes.subarray(TIME_BYTES));
}
