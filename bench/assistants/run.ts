import type { ComparedClaim } from '@lib/synthesis/same-point/claim-features';
import type { Remarks } from '@lib/synthesis/same-point/remarks';
import { findingsOf, type Findings } from '@lib/synthesis/synthesize';
import { endAfterFailure } from '../end-after-failure';
import { printAnswers } from './answers';
import { casesIn, inputOf, KINDS, placeOf, SETS, WORDINGS, type Case, type Pair } from './cases';
import { printWithModel } from './with-model';
import { isWithin, SHOWN, shownOf, type Place } from './shown';

/** What became of the two sentences of a pair. */
const OUTCOMES = [
  'in one claim',
  'disputed',
  'said to differ',
  'said to share figures',
  'below each other',
  'apart',
  'one in no claim',
] as const;
type Outcome = (typeof OUTCOMES)[number];
async function main([list = '']: string[]): Promise<void> {
  console.log(`| ${['set', 'pairs that', 'wording', 'number', ...OUTCOMES].join(' | ')} |`);
  console.log(`| ${Array.from({ length: OUTCOMES.length + 4 }, () => '---').join(' | ')} |`);
  for (const set of SETS) {
    const outcomes = (await casesIn(set)).flatMap((one) => outcomesOf(one).map(([pair, outcome]) => ({ query: one.query, pair, outcome })));
    for (const kind of KINDS)
      for (const wording of WORDINGS) {
        const own = outcomes.filter(({ pair }) => pair.kind === kind && pair.wording === wording);
        const counts = OUTCOMES.map((wanted) => own.filter(({ outcome }) => outcome === wanted).length);
        if (own.length > 0) console.log(`| ${[set, kind, wording, own.length, ...counts].join(' | ')} |`);
      }
    // Nobody tunes on what is held out.
    if (list && set.startsWith('tuning'))
      for (const { query, pair, outcome } of outcomes)
        console.log(`\n${outcome} <- ${pair.kind}, ${pair.wording} [${query.slice(0, 40)}]\n    ${pair.a}\n    ${pair.b}`);
  }
}

/** What a reader of a whole report of budget M sees of the pairs. */
async function printShown(): Promise<void> {
  console.log(
    `\n| ${['set', 'pairs that', 'number', ...SHOWN].join(' | ')} |\n| ${Array.from({ length: SHOWN.length + 3 }, () => '---').join(' | ')} |`,
  );
  for (const set of SETS) {
    const seen = (await casesIn(set)).flatMap(({ query, reports, pairs }) => {
      const findings = findingsOf(inputOf({ query, reports }));
      return pairs.map(({ a, b, kind }) => ({ kind, shown: shownOf(findings, placeOf(reports, a), placeOf(reports, b)) }));
    });
    for (const kind of ['agree', 'contradict'] as const) {
      const own = seen.filter((pair) => pair.kind === kind);
      console.log(
        `| ${[set, kind, own.length, ...SHOWN.map((wanted) => own.filter(({ shown }) => shown === wanted).length)].join(' | ')} |`,
      );
    }
  }
}

function outcomesOf({ query, reports, pairs }: Case): [Pair, Outcome][] {
  const findings = findingsOf({ ...inputOf({ query, reports }), mode: 'methodical' });
  return pairs.map((pair) => [pair, outcomeOf(findings, placeOf(reports, pair.a), placeOf(reports, pair.b))]);
}

function outcomeOf({ claims, outline }: Findings, one: Place, other: Place): Outcome {
  const isIn = (statements: readonly Place[], place: Place): boolean => statements.some((statement) => isWithin(statement, place));
  if (claims.some(({ supporting }) => isIn(supporting, one) && isIn(supporting, other))) return 'in one claim';
  const standAgainst = (left: Place, right: Place): boolean =>
    claims.some(({ supporting, contradicting }) => isIn(supporting, left) && isIn(contradicting, right));
  if (standAgainst(one, other) || standAgainst(other, one)) return 'disputed';
  for (const [first, others] of outline.samePoint) {
    const group = [first, ...others];
    const [left, right] = [one, other].map((place) => group.find(({ supporting }) => isIn(supporting, place)));
    if (left && right) return belowEachOther(left, right, outline.remarks);
  }
  return [one, other].every((place) => claims.some(({ supporting }) => isIn(supporting, place))) ? 'apart' : 'one in no claim';
}

function belowEachOther(one: ComparedClaim, other: ComparedClaim, remarks: Remarks): Outcome {
  if (remarks.mayDiffer(one, other)) return 'said to differ';
  return /figures/.test(remarks.between(one, other) ?? '') ? 'said to share figures' : 'below each other';
}

main(process.argv.slice(2)).then(printShown).then(printWithModel).then(printAnswers).catch(endAfterFailure);
