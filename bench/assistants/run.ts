import { findingsOf } from '@lib/synthesis/synthesize';
import { endAfterFailure } from '../end-after-failure';
import { printAdditions } from './additions';
import { printAnswers } from './answers';
import { casesIn, inputOf, KINDS, placeOf, SETS, WORDINGS, type Case, type Pair } from './cases';
import { outcomeOf, OUTCOMES, type Outcome } from './outcomes';
import { SHOWN, shownOf } from './shown';
import { printWithModel } from './with-model';

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

main(process.argv.slice(2)).then(printShown).then(printWithModel).then(printAnswers).then(printAdditions).catch(endAfterFailure);
