import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../package-folder';
import { findingsIn, stepIdOf } from './two-reports';

export const KINDS = ['agree', 'dispute', 'neither'] as const;
type Kind = (typeof KINDS)[number];

/** Two statements in free wording, and whether they say the same, contradict each other or do neither. */
export interface FreePair {
  field: string;
  kind: Kind;
  /** What both answer, in some sets. */
  question?: string;
  left: string;
  right: string;
}

/** What the synthesis of two reports makes of their statements. */
type Outcome = 'in one claim' | 'disputed' | 'said to differ' | 'apart';
const OUTCOMES: readonly Outcome[] = ['in one claim', 'disputed', 'said to differ', 'apart'];

export const FREE_SETS = [
  'held-out',
  'tuning',
  'reworded',
  'figures',
  'same-shape',
  'same-shape-held-out',
  'tied-otherwise',
  'tied-otherwise-held-out',
  'near-copies',
  'near-copies-held-out',
] as const;
export type FreeSet = (typeof FREE_SETS)[number];

/** For each kind and field, how many pairs end in one claim, as a dispute, below each other with a remark that they differ, or apart. Single cases are not shown: nobody tunes on them. */
export async function freeWordingTable(name: FreeSet): Promise<string> {
  const pairs = await pairsIn(name);
  const fields = ['all', ...new Set(pairs.map(({ field }) => field))];
  const rows = KINDS.flatMap((kind) =>
    fields.map((field) => {
      const outcomes = pairs.filter((pair) => pair.kind === kind && (field === 'all' || pair.field === field)).map(outcomeOf);
      const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length;
      return `| ${[kind, field, outcomes.length, ...OUTCOMES.map(count)].join(' | ')} |`;
    }),
  );
  const head = ['pairs that', 'field', 'number', ...OUTCOMES];
  return [`| ${head.join(' | ')} |`, `| ${head.map(() => '---').join(' | ')} |`, ...rows].join('\n');
}

export async function pairsIn(name: FreeSet): Promise<FreePair[]> {
  const file = await readFile(join(packageFolder(), `bench/disputes/${name}.jsonl`), 'utf8');
  return file.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as FreePair]));
}

function outcomeOf({ left, right, question }: FreePair): Outcome {
  const { claims, outline } = findingsIn([`${left} [1]`, `${right} [1]`], question);
  const steps = (side: 'supporting' | 'contradicting'): Set<string>[] =>
    claims.map((claim) => new Set(claim[side].map(({ stepId }) => stepId)));
  if (steps('contradicting').some(({ size }) => size > 0)) return 'disputed';
  if (steps('supporting').some((said) => said.has(stepIdOf(0)) && said.has(stepIdOf(1)))) return 'in one claim';
  const seem = [...outline.samePoint].some(([first, others]) => outline.remarks.differingIn([first, ...others]) !== null);
  return seem ? 'said to differ' : 'apart';
}
