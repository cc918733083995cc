import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { messageOfError } from '@lib/domain/message-of-error';

/** What a bundle has wrong at a place of one of its files. */
export class BundleFault extends Error {
  override readonly name = 'BundleFault';

  /** @param place the file, and the line if it is at one */
  constructor(
    readonly place: string,
    what: string,
  ) {
    super(what);
  }
}

/** No line that we write is nearly as long. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024;
const CHUNK = 262_144;
const NEWLINE = 0x0a;

export interface BundleLine {
  place: string;
  text: string;
}

/**
 * The lines of a file of a bundle, in bounded memory whatever is in it.
 * @param sum the digest that it must have, as hexadecimal digits; null for the file of digests itself
 * @throws BundleFault
 */
export async function* linesOf(folder: string, name: string, sum: string | null): AsyncGenerator<BundleLine, undefined> {
  const path = join(folder, name);
  const found = await lstat(path).catch(() => null);
  if (found === null) throw new BundleFault(name, 'is missing');
  // Only plain files are read: a pipe could block for ever, and a link may lead anywhere.
  if (!found.isFile()) throw new BundleFault(name, 'is no plain file');
  const digest = createHash('sha256');
  let rest: Buffer[] = [];
  let [waiting, number] = [0, 1];
  const lineOf = (bytes: Buffer): BundleLine => {
    const place = `${name} line ${number++}`;
    return { place, text: decoded(bytes, place) };
  };
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK }) as AsyncIterable<Buffer>) {
    digest.update(chunk);
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield lineOf(rest.length === 0 ? chunk.subarray(start, end) : Buffer.concat([...rest, chunk.subarray(start, end)]));
      [rest, waiting, start] = [[], 0, end + 1];
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
    waiting += chunk.length - start;
    if (waiting > MAX_LINE_LENGTH) throw new BundleFault(`${name} line ${number}`, `is longer than ${MAX_LINE_LENGTH} bytes`);
  }
  if (waiting > 0) throw new BundleFault(`${name} line ${number}`, 'has no end: the file was cut');
  if (sum !== null && digest.digest('hex') !== sum) throw new BundleFault(name, 'is not what SHA256SUMS says');
}

/** A small file as one text. @throws BundleFault */
export async function textOf(folder: string, name: string, sum: string | null): Promise<string> {
  let text = '';
  for await (const line of linesOf(folder, name, sum)) {
    text += `${line.text}\n`;
    if (text.length > MAX_LINE_LENGTH) throw new BundleFault(name, `is longer than ${MAX_LINE_LENGTH} characters`);
  }
  return text;
}

/** Says at which place of the bundle something is wrong. @throws BundleFault in place of any other error */
export function at<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw new BundleFault(place, messageOfError(error));
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Buffer, place: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new BundleFault(place, 'is not UTF-8');
  }
}

/** The checksums that the bundle's list has, by the names of its files. */
export type Sums = ReadonlyMap<string, string>;
export const sumOf = (sums: Sums, name: string): string => sums.get(name) ?? '';
