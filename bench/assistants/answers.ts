import type { Claim } from '@lib/synthesis/claims/claim-table';
import { findingsOf } from '@lib/synthesis/synthesize';
import { inputOf, linesOf, placesOf, type Asked, type SETS } from './cases';
import { isWithin, type Place } from './shown';

const KEYS = ['keys-tuning', 'keys-held-out', 'keys-natural-tuning', 'keys-natural-held-out', 'keys-natural'] as const;
const NATURAL = [
  'natural',
  'natural-held-out',
  'natural-held-out-2',
  'natural-held-out-3',
  'natural-held-out-4',
  'natural-held-out-5',
  'natural-held-out-6',
  'natural-held-out-7',
  'natural-held-out-8',
  'natural-held-out-9',
  'natural-held-out-10',
  'natural-held-out-11',
] as const;

/** What an editor who had seen no code wants in a good answer of about six lines, and what would be worthless in it. */
interface Keys {
  set: (typeof SETS)[number] | (typeof NATURAL)[number];
  line: number;
  /** The parts of the question, in its order; the first two files do not distinguish them. */
  parts?: readonly string[];
  /** `part` is the position of the part that it answers. */
  key: readonly { point: string; weight: number; part?: number; sentences: readonly string[] }[];
  empty: readonly string[];
}

/** Reports that three assistants wrote of real things without seeing each other, the last with details that it "misremembers". */
interface Natural extends Asked {
  wrong: readonly string[];
}

/** Prints which key points are in the Answer part, and for which wrong details a report of budget M says that other reports differ. */
export async function printAnswers(): Promise<void> {
  console.log(
    '\n| keys | weight of the key points in the answer | parts of the questions answered | lines | on a key point | worthless |\n| --- | --- | --- | --- | --- | --- |',
  );
  for (const name of KEYS) console.log(await answersRow(name));
  console.log('\n| reports | wrong details | told to differ | pairs told to differ in all |\n| --- | --- | --- | --- |');
  for (const name of NATURAL) console.log(await naturalRow(name));
}

async function answersRow(name: (typeof KEYS)[number]): Promise<string> {
  let [weight, found, asking, answered, lines, telling, worthless] = [0, 0, 0, 0, 0, 0, 0];
  for (const { set, line, parts = [], key, empty } of await linesOf<Keys>(name)) {
    const asked = (await linesOf<Asked>(set))[line];
    if (!asked) throw new Error(`${name} has keys of line ${String(line)} of ${set}, which has none`);
    const { answer, disputedAnswer } = findingsOf(inputOf(asked)).outline;
    const claims = [...answer, ...disputedAnswer.map(({ claim }) => claim)];
    const points = key.map((point) => ({ ...point, places: point.sentences.flatMap((sentence) => placesOf(asked.reports, sentence)) }));
    const nothing = empty.flatMap((sentence) => placesOf(asked.reports, sentence));
    const told = points.filter(({ places }) => claims.some((claim) => states(claim, places)));
    weight += weightOf(points);
    found += weightOf(told);
    asking += parts.length;
    answered += parts.filter((_, part) => told.some((point) => point.part === part)).length;
    for (const claim of claims) {
      lines += 1;
      if (points.some(({ places }) => states(claim, places))) telling += 1;
      else if (states(claim, nothing)) worthless += 1;
    }
  }
  return `| ${[name, percent(found, weight), asking === 0 ? '-' : percent(answered, asking), lines, percent(telling, lines), percent(worthless, lines)].join(' | ')} |`;
}

async function naturalRow(name: (typeof NATURAL)[number]): Promise<string> {
  let [details, told, pairs] = [0, 0, 0];
  for (const { wrong, ...asked } of await linesOf<Natural>(name)) {
    const { claims, outline } = findingsOf(inputOf(asked));
    const differing = [...outline.samePoint].flatMap(([first, others]) => {
      const group = [first, ...others];
      return group.flatMap((one, place) =>
        group.slice(place + 1).flatMap((other) => (outline.remarks.mayDiffer(one, other) ? [[one, other]] : [])),
      );
    });
    const disputed = claims.filter(({ contradicting }) => contradicting.length > 0);
    pairs += differing.length + outline.disputed.length;
    details += wrong.length;
    told += wrong.filter((sentence) => {
      const places = placesOf(asked.reports, sentence);
      return [...differing.flat(), ...disputed].some((claim) => states(claim, places));
    }).length;
  }
  return `| ${[name, details, told, pairs].join(' | ')} |`;
}

const weightOf = (points: readonly { weight: number }[]): number => points.reduce((sum, { weight }) => sum + weight, 0);
const states = ({ supporting }: Claim, places: readonly Place[]): boolean =>
  supporting.some((said) => places.some((place) => isWithin(said, place)));
const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
