import type { Token } from './token';

/** Words before a number that make it a bound or an approximation. */
export interface Comparator {
  kind: 'at least' | 'at most' | 'about' | 'none';
  /** Index of its first word; of the number if there is none. */
  from: number;
}

/** These make a figure an approximation. Every list of words around figures holds them. */
export const APPROXIMATING: ReadonlySet<string> = new Set('about around roughly nearly almost'.split(' '));

/** Single words around a figure that make it a bound or an approximation; they do not tell what it measures. */
export const AROUND_FIGURES: ReadonlySet<string> = APPROXIMATING.union(
  new Set('approximately some up least most over under than more less only just'.split(' ')),
);

/** The longest first, because "no more than" contains "more than". */
const PHRASES: readonly [Comparator['kind'], readonly string[]][] = (
  [
    ['at most', 'no more than;a maximum of;no longer than;less than;fewer than;up to;at most;under;below;within'],
    [
      'at least',
      'no less than;no fewer than;a minimum of;more than;greater than;older than;at least;upwards of;over;above;exceed;exceeds;exceeded;exceeding',
    ],
    ['about', 'an average of;an estimated;close to;about;around;approximately;roughly;nearly;almost;some;circa'],
  ] as const
)
  .flatMap(([kind, phrases]) => phrases.split(';').map((phrase): [Comparator['kind'], string[]] => [kind, phrase.split(' ')]))
  .sort(([, a], [, b]) => b.length - a.length);

const BY_LAST_WORD = Map.groupBy(PHRASES, ([, words]) => words.at(-1));

/** The comparator right before the number at `at`. English. */
export function comparatorBefore(tokens: readonly Token[], at: number): Comparator {
  const candidates = BY_LAST_WORD.get(tokens[at - 1]?.word.text);
  for (const [kind, words] of candidates ?? []) {
    const from = at - words.length;
    if (words.every((word, place) => tokens[from + place]?.word.text === word)) return { kind, from };
  }
  return { kind: 'none', from: at };
}
