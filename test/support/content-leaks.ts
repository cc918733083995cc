import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Supervisor } from './supervisor';

/** Where content or a secret stands in clear that must not: in the log of any process, in the store of the broker, in the files of PostgreSQL. */
export async function contentLeaks(supervisor: Supervisor, canaries: Iterable<string>): Promise<string[]> {
  const texts = [...canaries, ...supervisor.secretTexts];
  const found = (place: string, bytes: string | Buffer): string[] =>
    texts.filter((text) => bytes.includes(text)).map((text) => `${text} in ${place}`);
  const inLogs = supervisor.logs.lines.flatMap(({ process, text }) => found(`the log of ${process}`, text));
  const files = (await Promise.all(supervisor.stores.map(filesBelow))).flat();
  const inFiles = await Promise.all(files.map(async (file) => found(file, await contentOf(file))));
  return [...new Set([...inLogs, ...inFiles.flat()])];
}

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** A server that runs removes files at any time. */
const contentOf = (file: string): Promise<Buffer> => readFile(file).catch(() => Buffer.alloc(0));
