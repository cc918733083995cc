import { createReadStream, type ReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '@lib/domain/ids';
import { ENDING, type Line, type ListedDeletion } from './deletion-list';

const MAX_LINE_LENGTH = 1_000;

/** How each call for a file is awaited: that of another machine may never be answered. */
export type HeedFiles = <Value>(call: () => Promise<Value>) => Promise<Value>;

/**
 * The deletions of a file, or of all files of a folder, that were not refused. One at a time, since a list may have millions. Every file is read to
 * its end before the first deletion is returned. A thread may be listed several times.
 * @throws Error that names the file and the line that cannot be read; the last line of a file may be cut off, since nobody acted on it
 */
export async function* readDeletions(path: string, heed: HeedFiles = (call) => call()): AsyncGenerator<ListedDeletion> {
  const sized = async () => Promise.all((await filesOf(path)).map(async (file) => ({ file, bytes: (await stat(file)).size })));
  const files = await heed(sized);
  // A refusal comes after its deletion, and others write meanwhile. So refusals are read to the end, but deletions only as far as a file went before.
  const refused = new Set<string>();
  for (const { file } of files)
    for await (const lines of linesOf(file, heed)) for (const line of lines) if ('refused' in line) refused.add(line.entry);
  for (const { file, bytes } of files)
    for await (const lines of linesOf(file, heed, bytes))
      for (const line of lines) if ('deleted' in line && !refused.has(line.entry)) yield { threadId: line.deleted, at: new Date(line.at) };
}

async function filesOf(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  return (await readdir(path)).filter((name) => name.endsWith(ENDING)).map((name) => join(path, name));
}

/** As many at a time as were read from the disk at once. */
async function* linesOf(file: string, heed: HeedFiles, bytes = Infinity): AsyncGenerator<Line[]> {
  if (bytes === 0) return;
  let count = 0;
  let rest = '';
  for await (const text of piecesOf(createReadStream(file, { encoding: 'utf8', end: bytes - 1 }), heed)) {
    const texts = `${rest}${text}`.split('\n');
    rest = texts.pop() ?? '';
    if (rest.length > MAX_LINE_LENGTH) texts.push(rest);
    yield texts.map((one) => {
      count += 1;
      const line = lineOf(one);
      if (line) return line;
      throw new Error(
        `line ${count} of ${file} is no entry of a deletion list: restore the file, or remove the line if you know what it was`,
      );
    });
  }
  const last = lineOf(rest);
  if (last) yield [last];
}

async function* piecesOf(stream: ReadStream, heed: HeedFiles): AsyncGenerator<string> {
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<string, void>;
  try {
    for (let piece = await heed(() => pieces.next()); piece.done !== true; piece = await heed(() => pieces.next())) yield piece.value;
  } finally {
    stream.destroy();
  }
}

function lineOf(text: string): Line | null {
  try {
    const line = JSON.parse(text) as Partial<Record<string, unknown>>;
    const threadId = line.deleted ?? line.refused;
    const isWhole = typeof line.entry === 'string' && typeof line.at === 'string' && !Number.isNaN(Date.parse(line.at));
    return line.v === 1 && isWhole && typeof threadId === 'string' && isId('thr', threadId) ? (line as Line) : null;
  } catch {
    return null;
  }
}
