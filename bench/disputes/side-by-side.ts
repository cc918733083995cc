import { KINDS, pairsIn, type FreePair, type FreeSet } from './free-wording';
import { findingsIn, stepIdOf } from './two-reports';

/** How many pairs make up the two reports of one job: reports of about ten sentences. */
const PAIRS_OF_JOB = 10;

/** What became of the two sentences of a pair among those of nine others. */
type Outcome = 'in one claim' | 'disputed' | 'side by side' | 'apart';
const OUTCOMES: readonly Outcome[] = ['in one claim', 'disputed', 'side by side', 'apart'];

/** A sentence of one of the two reports: its pair, and where it stands. */
interface Place {
  pair: FreePair;
  stepId: string;
  start: number;
  end: number;
}

/**
 * For each kind, how many pairs a reader of the report finds together where ten pairs of a field are the two reports of one job; and how many
 * sentences stand beside one of another pair. Single cases are not shown: nobody tunes on them.
 */
export async function sideBySideTable(name: FreeSet): Promise<string> {
  const pairs = await pairsIn(name);
  const jobs = [...Map.groupBy(pairs, ({ field }) => field).values()].flatMap((ofField) =>
    Array.from({ length: Math.ceil(ofField.length / PAIRS_OF_JOB) }, (_, at) => ofField.slice(at * PAIRS_OF_JOB, (at + 1) * PAIRS_OF_JOB)),
  );
  const results = jobs.map(resultOf);
  const outcomes = new Map(results.flatMap((result) => [...result.outcomes]));
  const rows = KINDS.map((kind) => {
    const ofKind = pairs.filter((pair) => pair.kind === kind);
    const counts = OUTCOMES.map((wanted) => ofKind.filter((pair) => outcomes.get(pair) === wanted).length);
    return `| ${[kind, ofKind.length, ...counts].join(' | ')} |`;
  });
  const strangers = results.reduce((sum, { strangers: count }) => sum + count, 0);
  return [
    `| ${['ten pairs in a job', 'number', ...OUTCOMES].join(' | ')} |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `Beside a sentence of another pair: ${String(strangers)}`,
  ].join('\n');
}

function resultOf(pairs: readonly FreePair[]): { outcomes: Map<FreePair, Outcome>; strangers: number } {
  const left = reportOf(pairs, 'left', stepIdOf(0));
  const right = reportOf(pairs, 'right', stepIdOf(1));
  const places = [...left.places, ...right.places];
  const { claims, outline } = findingsIn([left.text, right.text]);
  const saidIn = (statements: (typeof claims)[number]['supporting']): Place[] =>
    places.filter((place) => statements.some(({ stepId, start }) => stepId === place.stepId && start >= place.start && start < place.end));
  const outcomes = new Map<FreePair, Outcome>(pairs.map((pair) => [pair, 'apart']));
  let strangers = 0;
  const meet = (one: readonly Place[], other: readonly Place[], outcome: Outcome): void => {
    for (const { pair, stepId } of other) {
      const isMet = one.some((place) => place.pair === pair && place.stepId !== stepId);
      if (isMet) outcomes.set(pair, outcome);
      else if (outcome === 'side by side') strangers += 1;
    }
  };
  for (const [claim, others] of outline.samePoint)
    for (const other of others) meet(saidIn(claim.supporting), saidIn(other.supporting), 'side by side');
  for (const { supporting, contradicting } of claims) {
    meet(saidIn(supporting), saidIn(supporting), 'in one claim');
    meet(saidIn(supporting), saidIn(contradicting), 'disputed');
  }
  return { outcomes, strangers };
}

/** The sentences of one side, a paragraph each. */
function reportOf(pairs: readonly FreePair[], side: 'left' | 'right', stepId: string): { text: string; places: Place[] } {
  let text = '';
  const places = pairs.map((pair) => {
    const start = text.length;
    text += `${pair[side]} [1]\n\n`;
    return { pair, stepId, start, end: text.length };
  });
  return { text, places };
}
