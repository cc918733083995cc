import { textAt } from '@lib/language/reading/token';
import { ARTICLES } from '@lib/language/reading/articles';
import { COMMA, SPACE } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isAspect } from './aspects';

/** Words between two compared things. */
export const BETWEEN = new Set('and or vs versus than'.split(' '));

/** The words beside "and" or a comma, without words common to all: "oat" in "oat milk or soy milk". */
export function listedIn({ tokens }: Reading): ReadonlySet<string> {
  const listed = new Set<number>();
  const isWord = (at: number): boolean => {
    const word = tokens[at]?.word;
    return word !== undefined && !word.isStopWord && !BETWEEN.has(word.text) && !isAspect(word.stem);
  };
  for (const [at, { word, before }] of tokens.entries()) {
    const isSeparator = BETWEEN.has(word.text);
    if (!isSeparator && (before & COMMA) === 0) continue;
    let next = isSeparator ? at + 1 : at;
    if (ARTICLES.has(textAt(tokens, next))) next += 1;
    let [left, right] = [0, 0];
    while (isWord(at - 1 - left) && (left === 0 || tokens[at - left]?.before === SPACE)) left += 1;
    while (isWord(next + right) && (right === 0 || tokens[next + right]?.before === SPACE)) right += 1;
    // As in "Silver and Gold plans", where a word beside only one of them belongs to both.
    for (let place = 0; place < Math.min(left, right); place += 1) listed.add(at - 1 - place).add(next + place);
  }
  const stems = [...listed].map((place) => tokens[place]?.word.stem ?? '');
  return new Set(stems.filter((stem) => stems.filter((other) => other === stem).length === 1));
}
