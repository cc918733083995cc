import { isContentWord, type Token } from '@lib/language/reading/token';

/** A word that two statements have once each, with its place in the first and in the second. */
export interface SharedOnce {
  here: number;
  there: number;
}

/** The content words and amounts that each statement has once, in the order of the first. */
export function sharedOnce(mine: readonly Token[], theirs: readonly Token[]): SharedOnce[] {
  const counts = [mine, theirs].map((tokens) => Map.groupBy(tokens.keys(), (at) => tokens[at]?.word.stem ?? ''));
  return mine.flatMap((token, here): SharedOnce[] => {
    if (!isContentWord(token) && !token.word.isAmount && !isMonth(token)) return [];
    const [own, others] = counts.map((places) => places.get(token.word.stem) ?? []);
    const there = others?.[0];
    return own?.length === 1 && others?.length === 1 && there !== undefined ? [{ here, there }] : [];
  });
}

/** In small letters "may" is a verb. */
const isMonth = ({ word, isCapitalised }: Token): boolean => isCapitalised && word.text === 'may';
