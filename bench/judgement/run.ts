import { chanceBy } from '@lib/synthesis/judgement/judgement';
import type { PairMeasures } from '@lib/synthesis/judgement/pair-measures';
import { endAfterFailure } from '../end-after-failure';
import { judgedPairs, SHOWN, writtenPairs, type JudgedPair } from './examples';
import { crossValidated, fit, type Example, type Fitted } from './fit';

const WRITTEN = ['tuning', 'tuning-2', 'tuning-3', 'tuning-4', 'tuning-5', 'tuning-records', 'chat-tuning'] as const;
/** Nobody had read these when their pairs were judged, and no weight was fitted to them. */
const UNREAD = ['natural-held-out-10', 'natural-held-out-11'] as const;
const SAID = ['same', 'same point', 'contradict', 'same topic', 'other'] as const;
const isUnread = ({ set }: JudgedPair): boolean => UNREAD.some((unread) => unread === set);
const isHeldOut = ({ set }: JudgedPair): boolean => set === 'held-out' || set === 'held-out-2';
const HELD_OUT = ['held-out', 'held-out-2', 'held-out-records', 'chat-held-out'] as const;

type Names = readonly (keyof PairMeasures)[];

const chanceOf = ({ bias, weights }: Fitted, measures: PairMeasures): number => chanceBy({ bias, ...weights }, measures);

/** Fits the weights anew, and prints them beside how often each judgement is right at each least chance. */
async function main(): Promise<void> {
  const all = await judgedPairs();
  const judged = all.filter((pair) => !isUnread(pair));
  showTold('the sets that the weights are fitted to', judged);
  for (const set of UNREAD)
    showTold(
      set,
      all.filter((pair) => pair.set === set),
    );
  showRemarks(all);
  const natural = judged.filter(({ marked }) => !marked);
  const marked = judged.filter((pair) => pair.marked);
  const asExample =
    (is: (pair: JudgedPair) => boolean) =>
    (pair: JudgedPair): Example => ({ query: pair.query, measures: pair.measures, is: is(pair) });
  const written = (await Promise.all(WRITTEN.map((set) => writtenPairs(set)))).flat().filter(({ mayBeTheSame }) => mayBeTheSame);
  const ofHeldOut = (await Promise.all(HELD_OUT.map((set) => writtenPairs(set)))).flat();
  const likely = ofHeldOut.filter(({ shown }) => shown === 'likely the same');
  const agreeing = likely.filter(({ agrees }) => agrees).length;
  console.log(
    `\nOf the pairs written for the held-out sets, likely the same: ${String(agreeing)} that agree, ${String(likely.length - agreeing)} others`,
  );
  const heldOut = ofHeldOut.filter(({ mayBeTheSame }) => mayBeTheSame);
  const asWritten = ({ query, measures, agrees }: (typeof written)[number]): Example => ({ query, measures, is: agrees });
  show('the same', ['words', 'terms', 'likeness', 'common', 'otherTimes'], {
    examples: natural.filter(({ mayBeTheSame }) => mayBeTheSame).map(asExample(({ judged: said }) => said === 'same')),
    beside: written.map(asWritten),
    heldOut: heldOut.map(asWritten),
  });
  const contradicts = asExample(({ judged: said }) => said === 'contradict');
  show('contradicting each other', ['lead', 'shared', 'figuresInBoth', 'sameValues'], {
    examples: marked.filter((pair) => !isHeldOut(pair)).map(contradicts),
    beside: [],
    heldOut: marked.filter(isHeldOut).map(contradicts),
  });
  const isUnrelated = asExample(({ judged: said }) => said === 'same topic' || said === 'other');
  const isOnlyCompared = ({ shown }: JudgedPair): boolean => shown === 'compare' || shown === 'apart';
  show('unrelated', ['words', 'terms', 'likeness', 'shared', 'common', 'lacking', 'figuresInBoth'], {
    examples: natural.filter(isOnlyCompared).map(isUnrelated),
    beside: [],
    heldOut: all.filter((pair) => isUnread(pair) && isOnlyCompared(pair)).map(isUnrelated),
  });
}

/** What this build's reports tell of pairs, and what readers said of them. */
function showTold(where: string, pairs: readonly JudgedPair[]): void {
  console.log(`\n| ${[`told in ${where}`, 'pairs', ...SAID].join(' | ')} |\n| ${'--- | '.repeat(SAID.length + 2)}`);
  for (const shown of SHOWN) {
    const own = pairs.filter((pair) => pair.shown === shown);
    const shares = SAID.map((said) => percent(own.filter(({ judged }) => judged === said).length, own.length));
    console.log(`| ${[shown, own.length, ...shares].join(' | ')} |`);
  }
}

/** How often each kind of remark that two claims may conflict is right: right ones of all. */
function showRemarks(pairs: readonly JudgedPair[]): void {
  const told = pairs.filter(({ shown }) => shown === 'may conflict');
  console.log('\n| remark | sets that rules were written from | held-out | unread |\n| --- | --- | --- | --- |');
  for (const [remark, own] of Map.groupBy(told, (pair) => pair.remark)) {
    const read = own.filter((pair) => !isHeldOut(pair) && !isUnread(pair));
    const counts = [read, own.filter(isHeldOut), own.filter(isUnread)].map(
      (some) => `${String(some.filter(({ judged }) => judged === 'contradict').length)} of ${String(some.length)}`,
    );
    console.log(`| ${[remark, ...counts].join(' | ')} |`);
  }
}

function show(
  what: string,
  names: Names,
  { examples, beside, heldOut }: { examples: readonly Example[]; beside: readonly Example[]; heldOut: readonly Example[] },
): void {
  const fitted = fit([...examples, ...beside], names);
  const rounded = Object.entries(fitted.weights).map(([name, weight]) => `${name}: ${weight.toFixed(2)}`);
  console.log(`\n${what}: ${String(examples.length)} pairs, of which ${String(examples.filter(({ is }) => is).length)} are\n`);
  console.log(`    { bias: ${fitted.bias.toFixed(2)}, ${rounded.join(', ')} }\n`);
  console.log(
    '| least chance | said of | right | found | held out: said of | right | found |\n| --- | --- | --- | --- | --- | --- | --- |',
  );
  const tried = crossValidated(examples, beside, names, chanceOf);
  const unseen = heldOut.map((example) => ({ example, chance: chanceOf(fitted, example.measures) }));
  for (const least of [0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.88, 0.9, 0.92]) {
    const rows = [tried, unseen].flatMap((all) => {
      const said = all.filter(({ chance }) => chance >= least);
      const right = said.filter(({ example }) => example.is).length;
      return [String(said.length), percent(right, said.length), percent(right, all.filter(({ example }) => example.is).length)];
    });
    console.log(`| ${[least, ...rows].join(' | ')} |`);
  }
}

const percent = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`);

main().catch(endAfterFailure);
