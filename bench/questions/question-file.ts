import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { documentFolder } from '@lib/providers/corpus/folder/folder';

/** A question as somebody asks it, and what answers it. */
export interface AskedQuestion {
  id: string;
  question: string;
  kind: string;
  answerable: boolean;
  /** Verbatim pieces of the documents: any of them answers, with `goldAll` all of them together. */
  gold: string[];
  goldAll: boolean;
  /** The document that answers, relative to the corpus; null for a question that none answers. */
  document: string | null;
  /** Further documents that answer too. */
  alsoIn?: string[];
}

export type Half = 'tuning' | 'reporting';

/** Questions over the same documents. */
export interface QuestionSet {
  file: string;
  questions: AskedQuestion[];
  /** The folder of the documents; undefined: the documentation of the installed packages. */
  corpus: string | undefined;
}

/**
 * Reads every `.jsonl` of a folder, a question a line. The documents are listed in `<name>-corpus.txt` beside it, relative to `node_modules`,
 * and copied to `copies`; or they lie in the folder `corpus`; or they are those of all installed packages.
 *
 * @throws Error that names the line that cannot be used
 */
export async function readQuestions(folder: string, copies: string): Promise<QuestionSet[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  if (files.length === 0) throw new Error(`There is no .jsonl in ${folder}`);
  return Promise.all(
    files.map(async (file) => {
      const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
      const questions = lines.flatMap((line, index) => (line.trim() === '' ? [] : [questionFrom(line, `${file}:${String(index + 1)}`)]));
      return { file, questions, corpus: await corpusOf(folder, file.replace(/\.jsonl$/, ''), copies) };
    }),
  );
}

async function corpusOf(folder: string, name: string, copies: string): Promise<string | undefined> {
  const list = join(folder, `${name}-corpus.txt`);
  const beside = resolve(folder, 'corpus');
  if (!existsSync(list)) return existsSync(beside) ? beside : undefined;
  const packages = documentFolder(undefined).path;
  const copy = join(copies, name);
  for (const path of (await readFile(list, 'utf8')).split('\n').filter((line) => line.trim() !== '')) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await copyFile(join(packages, path), join(copy, path));
  }
  return copy;
}

/** By a hash of the question: rules may be tuned on one half, and the other is for figures. */
export function halfOf({ question }: AskedQuestion): Half {
  const [first = 0] = createHash('sha256').update(question).digest();
  return first % 2 === 0 ? 'tuning' : 'reporting';
}

function questionFrom(line: string, place: string): AskedQuestion {
  const { id, question, kind, answerable, gold, goldAll, document, alsoIn } = JSON.parse(line) as Partial<AskedQuestion>;
  if (typeof id !== 'string' || typeof question !== 'string' || typeof answerable !== 'boolean' || !Array.isArray(gold))
    throw new Error(`${place} is no question: it needs id, question, answerable and gold`);
  return {
    id,
    question,
    kind: kind ?? 'any',
    answerable,
    gold,
    goldAll: goldAll ?? false,
    document: document ?? null,
    alsoIn: alsoIn ?? [],
  };
}
