import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedClaim, RecordedEvidence } from '@lib/domain/job/recorded-report';
import { synthesize } from '@lib/synthesis/synthesize';
import { jobOf, stepIdOf } from '../disputes/two-reports';
import { endAfterFailure } from '../end-after-failure';
import { packageFolder } from '../package-folder';

const SETS = ['tuning', 'tuning-2', 'tuning-3', 'held-out'] as const;
/** How two sentences of two reports relate, which only their headings show. */
const KINDS = ['same item', 'same, other aspect heading', 'other item', 'contradicts'] as const;
/** Most sources that a report marks. */
const SOURCES = 9;

interface Pair {
  a: string;
  b: string;
  /** Begins with one of the kinds. */
  why: string;
}

interface Case {
  query: string;
  reports: readonly [string, string];
  pairs: readonly Pair[];
}

interface Outcome {
  query: string;
  pair: Pair;
  /** The claim that both reports support by the sentence. */
  joined: RecordedClaim | undefined;
  disputed: RecordedClaim | undefined;
}

async function main([list = '']: string[]): Promise<void> {
  console.log('| set | pairs that are of | number | in one claim | of these above low | disputed |\n| --- | --- | --- | --- | --- | --- |');
  for (const set of SETS) {
    const outcomes = (await casesIn(set)).flatMap(outcomesOf);
    for (const kind of KINDS)
      console.log(
        rowOf(
          set,
          kind,
          outcomes.filter(({ pair }) => pair.why.startsWith(`${kind}:`)),
        ),
      );
    // Nobody tunes on what is held out.
    if (list && set !== 'held-out') for (const outcome of outcomes) print(outcome);
  }
}

async function casesIn(set: (typeof SETS)[number]): Promise<Case[]> {
  const file = await readFile(join(packageFolder(), `bench/headings/${set}.jsonl`), 'utf8');
  return file.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Case]));
}

function outcomesOf({ query, reports, pairs }: Case): Outcome[] {
  const { claims } = synthesize(jobOf(reports, query, SOURCES));
  const [first, second] = reports;
  return pairs.map((pair) => {
    const isIn = (evidence: readonly RecordedEvidence[], step: number, report: string, sentence: string): boolean => {
      const start = report.indexOf(sentence);
      // A sentence that occurs twice is ambiguous.
      if (start < 0 || report.includes(sentence, start + 1)) return false;
      return evidence.some((quote) => quote.stepId === stepIdOf(step) && quote.start < start + sentence.length && quote.end > start);
    };
    const says = (side: readonly RecordedEvidence[]): [boolean, boolean] => [isIn(side, 0, first, pair.a), isIn(side, 1, second, pair.b)];
    const joined = claims.find(({ supporting }) => says(supporting).every(Boolean));
    const disputed = claims.find(({ supporting, contradicting }) => {
      const [[one, other], [against, otherAgainst]] = [says(supporting), says(contradicting)];
      return (one && otherAgainst) || (other && against);
    });
    return { query, pair, joined, disputed };
  });
}

function rowOf(set: string, kind: string, outcomes: readonly Outcome[]): string {
  const count = (is: (outcome: Outcome) => unknown): number => outcomes.filter(is).length;
  const isTrusted = ({ joined }: Outcome): boolean => joined !== undefined && joined.confidence !== 'low';
  return `| ${[set, kind, outcomes.length, count(({ joined }) => joined), count(isTrusted), count(({ disputed }) => disputed)].join(' | ')} |`;
}

function print({ query, pair: { a, b, why }, joined, disputed }: Outcome): void {
  const outcome = joined ? `in one claim (${joined.confidence}): ${joined.claim}` : disputed ? `disputed: ${disputed.claim}` : 'apart';
  console.log(`\n${query}\n  ${a}\n  ${b}\n  ${why}\n  => ${outcome}`);
}

main(process.argv.slice(2)).catch(endAfterFailure);
