import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { replaceFile } from '@lib/language/replace-file';

import type { IndexContent, IndexedFile } from './index-content';

/** Raise this whenever the content of an index would change: with the document readers, the terms or the vectors. Otherwise a kept index stays as it was read. */
export const INDEX_VERSION = 12;
const MAGIC = 'RTCORPUS';
/** Magic number, version, length of the header, checksum of the rest. */
const PREFIX_BYTES = 24;
const ALIGNMENT = 8;
/** The index holds the text of documents that others on the machine may not be allowed to read. */
const READ_BY_OWNER = 0o600;
const SECTIONS = ['lengths', 'tokens', 'vectors', 'texts'] as const;

interface Header {
  files: IndexedFile[];
  terms: string[];
  /** In bytes. */
  sections: Record<(typeof SECTIONS)[number], number>;
}

/** Why a stored index cannot be used and is rebuilt. */
export class UnusableIndex extends Error {
  override readonly name = 'UnusableIndex';
}

export async function writeIndex(file: string, content: IndexContent): Promise<void> {
  const { files, terms } = content;
  const parts = SECTIONS.map((name) => bytesOf(content[name]));
  const sections = Object.fromEntries(SECTIONS.map((name, at) => [name, parts[at]?.length ?? 0])) as Header['sections'];
  const header = padded(Buffer.from(JSON.stringify({ files, terms, sections } satisfies Header)));
  const body = [header, ...parts.map(padded)];
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(MAGIC, 'latin1');
  prefix.writeUInt32LE(INDEX_VERSION, 8);
  prefix.writeUInt32LE(header.length, 12);
  prefix.writeUInt32LE(
    body.reduce((sum, part) => crc32(part, sum), 0),
    16,
  );
  await replaceFile(file, [prefix, ...body], READ_BY_OWNER);
}

/** Null if the file does not exist. Throws `UnusableIndex` if it is damaged or of another version. */
export async function readIndex(file: string): Promise<IndexContent | null> {
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UnusableIndex(`it cannot be read (${error.code})`);
  });
  if (!content) return null;
  if (content.length < PREFIX_BYTES || content.toString('latin1', 0, 8) !== MAGIC) throw new UnusableIndex('it is no index');
  const version = content.readUInt32LE(8);
  if (version !== INDEX_VERSION) throw new UnusableIndex(`it has version ${version}, not ${INDEX_VERSION}`);
  const body = content.subarray(PREFIX_BYTES);
  if (crc32(body) !== content.readUInt32LE(16)) throw new UnusableIndex('it is damaged');
  const headerBytes = content.readUInt32LE(12);
  const { files, terms, sections } = headerIn(body.subarray(0, headerBytes));
  const expected = SECTIONS.reduce((sum, name) => sum + sections[name] + padding(sections[name]), headerBytes);
  if (expected !== body.length) throw new UnusableIndex('it is damaged');
  let at = headerBytes;
  const section = (name: keyof Header['sections']): Buffer => {
    const bytes = body.subarray(at, at + sections[name]);
    at += padding(sections[name]) + sections[name];
    return bytes;
  };
  return {
    files,
    terms,
    lengths: numbersOf(section('lengths')),
    tokens: numbersOf(section('tokens')),
    vectors: new Int8Array(arrayOf(section('vectors'))),
    texts: section('texts'),
  };
}

/** The checksum does not cover the header's length, so a damaged length may select the wrong bytes as the header. */
function headerIn(bytes: Buffer): Header {
  try {
    return JSON.parse(bytes.toString('utf8').trimEnd()) as Header;
  } catch {
    throw new UnusableIndex('it is damaged');
  }
}

const padding = (bytes: number): number => (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT;
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(padding(bytes.length), ' ')]);
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Int8Array | Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);
const arrayOf = ({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer =>
  buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
const numbersOf = (bytes: Buffer): Uint32Array => new Uint32Array(arrayOf(bytes));
