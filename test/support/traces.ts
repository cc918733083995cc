import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from 'pg';

/** How a text may stand in a file: as it is, in UTF-16, and as dumps and JSON write bytes. */
function formsOf(word: Buffer): Buffer[] {
  const text = word.toString('latin1');
  const base64 = [0, 1, 2].map((skipped) => word.subarray(skipped).toString('base64').slice(0, -4));
  return [word, Buffer.from(text, 'utf16le'), ...[word.toString('hex'), ...base64].map((form) => Buffer.from(form))];
}

/** Things to look for by name, such as words that can come from nowhere else. */
export type Wanted = Readonly<Record<string, string | Buffer>>;

/** Which of them the bytes hold, in any form. */
export function foundIn(bytes: Buffer, wanted: Wanted): string[] {
  return Object.entries(wanted).flatMap(([name, what]) => (formsOf(Buffer.from(what)).some((form) => bytes.includes(form)) ? [name] : []));
}

/** `name in path` for each, once for each folder. */
export async function foundInFiles(folders: Readonly<Record<string, string>>, wanted: Wanted): Promise<string[]> {
  const found = new Set<string>();
  for (const [label, folder] of Object.entries(folders)) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries.filter((one) => one.isFile())) {
      // A server that runs removes files at any time.
      const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
      for (const name of foundIn(bytes, wanted)) found.add(`${name} in ${label}`);
    }
  }
  return [...found].toSorted();
}

/** Every row of every table as text, which is what a dump holds. */
export async function dumpOf(pool: Pool): Promise<Buffer> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables order by 1`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(`select one::text as text from ${name} as one`);
    texts.push(name, ...rows.map(({ text }) => text));
  }
  return Buffer.from(texts.join('\n'));
}
