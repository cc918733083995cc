import { ARTICLES } from '@lib/language/reading/articles';
import { COMMA, SPACE } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import { BETWEEN } from '../subject/listed';

/** For the stem of a word that names one of several things, the number of that thing. */
export type Things = ReadonlyMap<string, number>;

/** Most words of a thing; more would be a clause. */
const MAX_THING_WORDS = 4;
/** Most words between its name and "than". */
const MAX_COMPARED_WORDS = 12;

/**
 * The things that a question compares: what stands on both sides of "or", "and", "than" or "versus", without the words common to both. "Oat" and
 * "soy" in "oat milk or soy milk"; none if there is only one. English.
 */
export function thingsHeldAgainst({ tokens }: Reading): Things {
  const things = new Map<string, number>();
  let next = 0;
  for (const [at, { word }] of tokens.entries()) {
    if (!BETWEEN.has(word.text)) continue;
    const sides = [before(tokens, at, word.text === 'than'), behind(tokens, at)].map((side) => side.map((token) => token.word.stem));
    const [left = [], right = []] = sides;
    const own = [left.filter((stem) => !right.includes(stem)), right.filter((stem) => !left.includes(stem))];
    if (own.some((side) => side.length === 0)) continue;
    for (const side of own) {
      const thing = next++;
      for (const stem of side) if (!things.has(stem)) things.set(stem, thing);
    }
  }
  return things;
}

/** The numbers of the things that a text mentions. */
export const thingsIn = ({ stems }: Reading, things: Things): ReadonlySet<number> => {
  const found = new Set<number>();
  for (const [stem, thing] of things) if (stems.has(stem)) found.add(thing);
  return found;
};

/** Whether both mention some of the things, but none in common. */
export const areApart = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  one.size > 0 && other.size > 0 && one.isDisjointFrom(other);

/** The words that end at an index or, before "better than", the name before that. */
function before(tokens: readonly Token[], end: number, isCompared: boolean): Token[] {
  let last = end - 1;
  if (isCompared) while (last >= 0 && !(last > 0 && tokens[last]?.isCapitalised)) last = last > end - MAX_COMPARED_WORDS ? last - 1 : -1;
  let first = last;
  while (isOfThing(tokens[first]) && last - first < MAX_THING_WORDS && tokens[first + 1]?.before === SPACE) first -= 1;
  return last < 0 ? [] : tokens.slice(first + 1, last + 1);
}

function behind(tokens: readonly Token[], separator: number): Token[] {
  const from = separator + (ARTICLES.has(textAt(tokens, separator + 1)) ? 2 : 1);
  let to = from;
  while (isOfThing(tokens[to]) && to - from < MAX_THING_WORDS && (to === from || ((tokens[to]?.before ?? COMMA) & COMMA) === 0)) to += 1;
  return tokens.slice(from, to);
}

const isOfThing = (token: Token | undefined): boolean => token !== undefined && !token.word.isStopWord && !BETWEEN.has(token.word.text);
