import type { Claim } from '@lib/synthesis/claims/claim-table';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import { findingsOf, type Findings } from '@lib/synthesis/synthesize';
import { inputOf, KINDS, linesOf, placeOf, type Case } from './cases';
import { isWithin, type Place } from './shown';

/** In chatty wording, with what a language model answered when it was asked to compare the reports. */
const SETS = ['chat-tuning', 'chat-held-out'] as const;

interface ProposedCase extends Case {
  proposed: string;
}

const OUTCOMES = [
  'in one claim',
  'disputed',
  'said to differ',
  'contradicting to a model',
  'agreeing to a model',
  'below each other',
  'apart',
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** What a reader of a whole report of budget M sees of each pair of sentences, without a model and with one. */
export async function printWithModel(): Promise<void> {
  console.log(`\n| ${['set', 'pairs that', 'with', 'number', ...OUTCOMES].join(' | ')} |`);
  console.log(`| ${Array.from({ length: OUTCOMES.length + 4 }, () => '---').join(' | ')} |`);
  for (const set of SETS) {
    const cases = await linesOf<ProposedCase>(set);
    for (const kind of KINDS)
      for (const isWithModel of [false, true]) {
        const seen = cases.flatMap((one) => outcomesOf(one, kind, isWithModel));
        const counts = OUTCOMES.map((wanted) => seen.filter((outcome) => outcome === wanted).length);
        console.log(`| ${[set, kind, isWithModel ? 'a model' : 'none', seen.length, ...counts].join(' | ')} |`);
      }
  }
}

function outcomesOf({ query, reports, pairs, proposed }: ProposedCase, kind: string, isWithModel: boolean): Outcome[] {
  const input = { ...inputOf({ query, reports }), mode: 'methodical' as const };
  const findings = findingsOf(input, isWithModel ? verifyProposals(input, proposed) : null);
  return pairs.filter((pair) => pair.kind === kind).map(({ a, b }) => outcomeOf(findings, placeOf(reports, a), placeOf(reports, b)));
}

function outcomeOf({ claims, outline }: Findings, one: Place, other: Place): Outcome {
  const [ones, others] = [one, other].map((place): Claim[] => claims.filter(({ supporting }) => isSaidIn(supporting, place)));
  if (ones?.some((claim) => others?.includes(claim))) return 'in one claim';
  if (
    ones?.some(({ contradicting }) => isSaidIn(contradicting, other)) ||
    others?.some(({ contradicting }) => isSaidIn(contradicting, one))
  )
    return 'disputed';
  const groups = [...outline.samePoint].map(([first, rest]) => [first, ...rest]);
  const beside = groups.flatMap((group) => {
    const [mine, theirs] = [ones, others].map((some) => group.filter((claim) => some?.includes(claim)));
    return mine?.flatMap((left) => theirs?.map((right) => outline.remarks.between(left, right)) ?? []) ?? [];
  });
  if (beside.length === 0) return 'apart';
  if (beside.includes('a model sees a contradiction')) return 'contradicting to a model';
  if (beside.some((remark) => remark !== null && / differ$|denies|opposite/.test(remark))) return 'said to differ';
  return beside.includes('a model sees an agreement') ? 'agreeing to a model' : 'below each other';
}

const isSaidIn = (statements: readonly Place[], place: Place): boolean => statements.some((said) => isWithin(said, place));
