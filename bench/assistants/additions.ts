import { isContentWord } from '@lib/language/reading/token';
import { readingOf } from '@lib/language/reading/read-text';
import { findingsOf, type Findings } from '@lib/synthesis/synthesize';
import { stepIdOf } from '../disputes/two-reports';
import { inputOf, linesOf, type Asked } from './cases';
import { isWithin } from './shown';

/** Words of one report, given by its position, within a sentence that others share with it. */
interface Addition {
  report: number;
  text: string;
}

interface WithAdditions extends Asked {
  additions: readonly Addition[];
}

const SETS = ['additions'] as const;

/** How many of the words that one report adds to what others say too are in no claim of it. */
export async function printAdditions(): Promise<void> {
  console.log('\n| set | additions | in no claim |\n| --- | --- | --- |');
  for (const set of SETS) {
    const cases = await linesOf<WithAdditions>(set);
    const lost = cases.flatMap((one) => lostIn(one));
    console.log(`| ${set} | ${String(cases.flatMap(({ additions }) => additions).length)} | ${String(lost.length)} |`);
  }
}

function lostIn({ query, reports, additions }: WithAdditions): Addition[] {
  const { claims } = findingsOf(inputOf({ query, reports }));
  return additions.filter((addition) => !isClaimed(addition, reports, claims));
}

function isClaimed({ report, text }: Addition, reports: readonly string[], claims: Findings['claims']): boolean {
  const start = reports[report]?.indexOf(text) ?? -1;
  if (start < 0) throw new Error(`Is not in report ${String(report)}: ${text}`);
  const place = { stepId: stepIdOf(report), start, end: start + text.length };
  const stems = readingOf(text).tokens.flatMap((token) => (isContentWord(token) || token.word.isAmount ? [token.word.stem] : []));
  return claims.some(
    ({ supporting, reading }) =>
      supporting.some((said) => isWithin(said, place)) && stems.every((stem) => reading.tokens.some(({ word }) => word.stem === stem)),
  );
}
