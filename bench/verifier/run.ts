import { isForTuning, readPairs, type Pair } from '../disputes/pairs';
import { endAfterFailure } from '../end-after-failure';
import { freeWordingTable } from './free-wording';
import { casesOf, type Case } from './cases';

/** Begins with a capital letter, ends with a full stop and refers to nothing before it. */
const BY_ITSELF = /^(?!(?:He|She|It|They|This|These|His|Her|Their|Its|There|Also|Cleared|Since|We)\b)\p{Lu}[^\n]{30,300}[^.]\.$/u;

/**
 * What a program makes of right and wrong proposals and summary sentences: how many of the wrong ones it refuses, and of the right ones it accepts.
 */
async function main([folder, half = '', list = '']: string[]): Promise<void> {
  const halves = folder ? ['tuning', 'reporting'] : ['tuning', 'held-out'];
  if (half !== '' && !halves.includes(half)) throw new Error(`HALF is ${half}; give one of: ${halves.join(', ')}`);
  if (!folder) {
    for (const name of ['tuning', 'held-out'] as const)
      if (half === '' || half === name) console.log(`\n${await freeWordingTable(name, list !== '')}`);
    return;
  }
  const pairs = (await readPairs(folder)).filter(({ claim, refuted }) => BY_ITSELF.test(claim) && BY_ITSELF.test(refuted));
  for (const [name, wanted] of [
    ['tuning', true],
    ['reporting', false],
  ] as const) {
    if (half !== '' && half !== name) continue;
    const cases = casesIn(pairs.filter((pair) => isForTuning(pair) === wanted));
    console.log(`\n${name} half\n\n| what is proposed | right | cases | decided rightly |\n| --- | --- | --- | --- |`);
    for (const [kind, some] of Map.groupBy(cases, (one) => one.kind))
      console.log(rowOf(kind, some, list === '' || wanted === false ? null : list));
    for (const isRight of [false, true])
      console.log(
        rowOf(
          isRight ? 'all right ones: accepted' : 'all wrong ones: refused',
          cases.filter((one) => one.isRight === isRight),
          null,
        ),
      );
  }
}

/** Each pair with the next one as the sentence about something else. A pair whose sentence the reader does not recognize as a claim is left out. */
function casesIn(pairs: readonly Pair[]): Case[] {
  return pairs.flatMap((pair, place) => {
    const cases = casesOf(pair, pairs[(place + 1) % pairs.length] ?? pair);
    const isClaim = cases.some(({ kind, isAccepted }) => kind === 'claim with its source' && isAccepted());
    return isClaim ? cases : [];
  });
}

function rowOf(kind: string, cases: readonly Case[], list: string | null): string {
  const wrongly = cases.filter(({ isRight, isAccepted }) => isAccepted() !== isRight);
  if (list !== null && kind.includes(list)) for (const { shown } of wrongly) console.log(`  ${shown}`);
  const isRight = cases[0]?.isRight === true ? 'yes' : 'no';
  const share = ((100 * (cases.length - wrongly.length)) / Math.max(1, cases.length)).toFixed(1);
  return `| ${kind} | ${isRight} | ${String(cases.length)} | ${share} % |`;
}

main(process.argv.slice(2)).catch(endAfterFailure);
