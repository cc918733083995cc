import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Claim } from '@lib/synthesis/claims/claim-table';
import type { PairMeasures } from '@lib/synthesis/judgement/pair-measures';
import type { Remark } from '@lib/synthesis/same-point/remark';
import { findingsOf, type Findings } from '@lib/synthesis/synthesize';
import { inputOf, linesOf, placeOf, type Asked, type Case } from '../assistants/cases';
import { isWithin, type Place } from '../assistants/shown';
import { stepIdOf } from '../disputes/two-reports';
import { packageFolder } from '../package-folder';

/** The report, and from where to where in it, in UTF-16 units. */
type JudgedPlace = readonly [report: number, start: number, end: number];

/** What a reader who had seen no code said of two claims that a report shows below each other. */
interface Judged {
  set: string;
  line: number;
  one: JudgedPlace;
  other: JudgedPlace;
  /** Whether the build of that day remarked that the two may conflict. */
  marked: boolean;
  judged: 'same' | 'same point' | 'contradict' | 'same topic' | 'other' | 'compatible' | 'no conflict';
}

export interface JudgedPair extends Pick<Judged, 'set' | 'marked' | 'judged'> {
  query: string;
  measures: PairMeasures;
  /** Whether the rules leave it to the measures whether they say the same. */
  mayBeTheSame: boolean;
  shown: Shown;
  remark: Remark | null;
}

/** What this build's report tells of two claims. */
export const SHOWN = ['likely the same', 'may conflict', 'compare', 'apart'] as const;
export type Shown = (typeof SHOWN)[number];

/**
 * The judged pairs of which this build makes two claims.
 * @param sets those that count; all if there are none
 */
export async function judgedPairs(sets: readonly string[] = []): Promise<JudgedPair[]> {
  const file = await readFile(join(packageFolder(), 'bench/judgement/judged.jsonl'), 'utf8');
  const lines = file.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Judged]));
  const pairs: JudgedPair[] = [];
  for (const [set, ofSet] of Map.groupBy(lines, (line) => line.set)) {
    if (sets.length > 0 && !sets.includes(set)) continue;
    const jobs = await linesOf<Asked>(set);
    for (const [line, ofJob] of Map.groupBy(ofSet, (judged) => judged.line)) {
      const job = jobs[line];
      if (!job) throw new Error(`judged.jsonl names line ${String(line)} of ${set}, which has none`);
      const findings = findingsOf(inputOf(job));
      for (const { one, other, marked, judged } of ofJob) {
        const seen = seenIn(findings, ...pairOf(findings, claimsAt(findings, one), claimsAt(findings, other)));
        if (seen) pairs.push({ set, marked, judged, query: job.query, ...seen });
      }
    }
  }
  return pairs;
}

/** As the weights are fitted to these, what the weights say must not choose them. */
const ON_A_POINT = 0.34;

/** Pairs of sentences that were written to agree or not, and that are alike enough to be shown together. */
export async function writtenPairs(
  set: string,
): Promise<(Pick<JudgedPair, 'query' | 'measures' | 'mayBeTheSame' | 'shown'> & { agrees: boolean })[]> {
  const cases = await linesOf<Case>(set);
  return cases.flatMap(({ query, reports, pairs }) => {
    const findings = findingsOf(inputOf({ query, reports }));
    return pairs.flatMap(({ a, b, kind }) => {
      const [ones = [], others = []] = [a, b].map((sentence) => claimsWith(findings, placeOf(reports, sentence)));
      const seen = seenIn(findings, ...pairOf(findings, ones, others));
      return seen && seen.measures.likeness >= ON_A_POINT ? [{ query, agrees: kind === 'agree', ...seen }] : [];
    });
  });
}

/** One claim of each, if possible two that the report shows below each other: a sentence may be in several. */
function pairOf({ outline }: Findings, ones: readonly Claim[], others: readonly Claim[]): [Claim | undefined, Claim | undefined] {
  const groups = [...outline.samePoint].map(([first, rest]) => [first, ...rest]);
  const group = groups.find((members) => [ones, others].every((claims) => claims.some((claim) => members.includes(claim))));
  const [one, other] = [ones, others].map((claims) => claims.find((claim) => group?.includes(claim)) ?? claims[0]);
  return [one, other];
}

const claimsWith = ({ claims }: Findings, place: Place): Claim[] =>
  claims.filter(({ supporting }) => supporting.some((said) => isWithin(said, place)));

const claimsAt = ({ claims }: Findings, [report, start, end]: JudgedPlace): Claim[] =>
  claims.filter(({ supporting }) =>
    supporting.some((said) => said.stepId === stepIdOf(report) && said.start === start && said.end === end),
  );

function seenIn(
  { outline }: Findings,
  one: Claim | undefined,
  other: Claim | undefined,
): Pick<JudgedPair, 'measures' | 'mayBeTheSame' | 'shown' | 'remark'> | null {
  const measures = one && other && one !== other && outline.judgement.measuresOf(one, other);
  if (!measures) return null;
  const { judgement, remarks } = outline;
  return {
    measures,
    mayBeTheSame: judgement.mayBeTheSame(one, other),
    shown: shownOf(outline, one, other),
    remark: remarks.between(one, other),
  };
}

function shownOf({ samePoint, remarks, judgement }: Findings['outline'], one: Claim, other: Claim): Shown {
  const isBelow = [...samePoint].some(([first, others]) => [one, other].every((claim) => claim === first || others.includes(claim)));
  if (!isBelow) return 'apart';
  if (remarks.mayDiffer(one, other)) return 'may conflict';
  return judgement.areLikelyTheSame(one, other) ? 'likely the same' : 'compare';
}
