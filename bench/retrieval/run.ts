import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { documentFolder } from '@lib/providers/corpus/folder/folder';
import { openWordVectors } from '@lib/language/word-vectors';

import { endAfterFailure } from '../end-after-failure';
import { findersOf, type Finder } from './finders';
import { questionSet, type HeadingQuestion } from './question-set';

/** How many of the first passages count for the recall. */
const FIRST = 10;

interface Figures {
  /** Mean part of a section's passages among the first ten. */
  recall: number;
  /** Mean reciprocal rank of the first passage of the section. */
  reciprocalRank: number;
}

/**
 * Measures how well each strategy finds the section that a heading stood over, and prints a table.
 * @param corpus a folder of documents; the documentation of the installed packages by default
 */
async function main(corpus: string | undefined): Promise<void> {
  const { documents, questions } = await questionSet(documentFolder(corpus && resolve(corpus)));
  if (questions.length === 0) throw new Error('These documents have no sections to make questions of: name a folder with structured ones.');
  const cache = await mkdtemp(join(tmpdir(), 'retrieval-'));
  const finders = findersOf(documents, await openWordVectors(cache));
  await rm(cache, { recursive: true });
  const passages = documents.reduce((sum, document) => sum + document.passages.length, 0);
  const halves = (['tune', 'report'] as const).map((half) => questions.filter((question) => question.half === half));
  process.stdout.write(
    `${documents.length} documents, ${passages} passages; ${halves.map(({ length }) => length).join(' + ')} questions\n\n`,
  );
  process.stdout.write('| strategy | recall@10, tune | MRR, tune | recall@10, report | MRR, report |\n|---|---|---|---|---|\n');
  for (const [name, find] of finders) {
    const cells = halves.flatMap((half) => {
      const { recall, reciprocalRank } = measure(find, half);
      return [recall.toFixed(3), reciprocalRank.toFixed(3)];
    });
    process.stdout.write(`| ${[name, ...cells].join(' | ')} |\n`);
  }
}

function measure(find: Finder, questions: readonly HeadingQuestion[]): Figures {
  const each = questions.map(({ text, answers }) => {
    const found = find(text);
    const first = found.findIndex((passage) => answers.has(passage));
    const recall = found.slice(0, FIRST).filter((passage) => answers.has(passage)).length / answers.size;
    return { recall, reciprocalRank: first < 0 ? 0 : 1 / (first + 1) };
  });
  const mean = (of: keyof Figures): number => each.reduce((sum, figures) => sum + figures[of], 0) / Math.max(1, each.length);
  return { recall: mean('recall'), reciprocalRank: mean('reciprocalRank') };
}

main(process.argv[2] || undefined).catch(endAfterFailure);
