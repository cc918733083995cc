import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { documentFolder } from '@lib/providers/corpus/folder/folder';
import { endAfterFailure } from '../end-after-failure';
import { answering, documentOf } from './answering';
import { plainSearch } from './plain-search';
import { halfOf, readQuestions, type AskedQuestion, type Half } from './question-file';
import { hits, LIST_LINE, partOf, scoreOf, type Score } from './score';

const USAGE = 'make bench-questions DATA=<folder with .jsonl of questions> [HALF=tuning|reporting] [LIST=1]';

interface Outcome extends Score {
  asked: AskedQuestion;
  report: string;
  /** Lines of the answer that come from documents which do not answer the question. */
  strange: number;
  /** Whether one of the first five sections of a plain search answers. */
  plain: boolean;
}

async function main([data, half = '', list = '']: string[]): Promise<void> {
  if (!data) throw new Error(`Which questions? ${USAGE}`);
  const folder = await mkdtemp(join(tmpdir(), 'questions-'));
  try {
    const outcomes: Outcome[] = [];
    console.log(
      '| questions | answerable | in the answer | anywhere | plain BM25, five sections | lines | of other documents | unanswerable | declined |',
    );
    console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
    for (const { file, questions, corpus } of await readQuestions(data, folder)) {
      const wanted = questions.filter((question) => half === '' || halfOf(question) === half);
      const own = await outcomesOf(wanted, corpus, folder);
      if (own.length > 0) console.log(rowOf(`${file}, over ${corpus ? 'documents of its own' : 'everything installed'}`, own));
      outcomes.push(...own);
    }
    for (const name of ['tuning', 'reporting'] as const satisfies Half[]) {
      const own = outcomes.filter(({ asked }) => halfOf(asked) === name);
      if (own.length > 0) console.log(rowOf(`the ${name} half of all`, own));
    }
    if (list) for (const outcome of outcomes) print(outcome);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function outcomesOf(questions: readonly AskedQuestion[], corpus: string | undefined, cacheFolder: string): Promise<Outcome[]> {
  const answer = await answering(corpus, cacheFolder);
  const search = await plainSearch(documentFolder(corpus));
  const outcomes: Outcome[] = [];
  for (const asked of questions) outcomes.push(outcomeOf(asked, (await answer(asked.question)).markdown, search(asked.question)));
  return outcomes;
}

function outcomeOf(asked: AskedQuestion, report: string, found: string): Outcome {
  const { gold, goldAll } = asked;
  const plain = goldAll ? gold.every((one) => hits(one, found)) : gold.some((one) => hits(one, found));
  return { asked, report, ...scoreOf(asked, report), strange: strangeLines(asked, report), plain };
}

function strangeLines({ document, alsoIn = [] }: AskedQuestion, report: string): number {
  const urls = new Map(Array.from(report.matchAll(/^- \[(\d+)\] .*\]\(<(.+)>\)/gm), ([, number, url]) => [number, url]));
  const right = new Set([document, ...alsoIn]);
  const lines = partOf(report, 'Answer')
    .split('\n')
    .filter((line) => LIST_LINE.test(line));
  return lines.filter((line) => {
    const marks = Array.from(line.matchAll(/(?<!\\)\[(\d+)\]/g), ([, number]) => documentOf(urls.get(number) ?? '') ?? null);
    return marks.length > 0 && !marks.some((path) => right.has(path));
  }).length;
}

function rowOf(name: string, outcomes: readonly Outcome[]): string {
  const able = outcomes.filter(({ asked }) => asked.answerable);
  const unable = outcomes.filter(({ asked }) => !asked.answerable);
  const share = (of: readonly Outcome[], is: (outcome: Outcome) => boolean): string =>
    of.length === 0 ? '-' : `${((100 * of.filter(is).length) / of.length).toFixed(0)} %`;
  const sum = (of: 'lines' | 'strange'): number => able.reduce((total, outcome) => total + outcome[of], 0);
  const cells = [
    able.length,
    share(able, ({ answer }) => answer),
    share(able, ({ anywhere }) => anywhere),
    share(able, ({ plain }) => plain),
    sum('lines'),
    `${((100 * sum('strange')) / Math.max(1, sum('lines'))).toFixed(0)} %`,
    unable.length,
    share(unable, ({ abstains }) => abstains),
  ];
  return `| ${[name, ...cells].join(' | ')} |`;
}

function print({ asked, report, answer, anywhere, abstains, plain }: Outcome): void {
  const outcome = !asked.answerable
    ? abstains
      ? 'declined'
      : 'NOT DECLINED'
    : answer
      ? 'answered'
      : anywhere
        ? 'ELSEWHERE'
        : abstains
          ? 'ABSTAINED'
          : 'MISSED';
  console.log(`\n=== ${outcome} ${asked.id} (${asked.kind})${plain ? '' : ', not by plain search'}: ${asked.question}`);
  for (const gold of asked.gold)
    console.log(`  gold${hits(gold, partOf(report, 'Answer')) ? '' : ' MISSING'}: ${gold.replace(/\s+/g, ' ')}`);
  console.log(report);
}

main(process.argv.slice(2)).catch(endAfterFailure);
