import { SPACE } from '@lib/language/reading/characters';
import { textAt, type Token } from '@lib/language/reading/token';
import { ORDINALS } from '../difference/superlatives';

/** Most words between "it was" and "that" or "who". */
const MAX_NAMED_WORDS = 6;
const LINKS = new Set('that who'.split(' '));

const CONTRACTED = "'s";

/** The index of the form of "be" behind an "it": that of "it" itself in "it's"; -1 if there is none. */
export function copulaBehindIt(tokens: readonly Token[], at: number): number {
  const it = tokens[at];
  if (it?.word.text !== 'it') return -1;
  if (it.end - it.start === it.word.text.length + CONTRACTED.length) return at;
  const [text, next] = [tokens[at + 1]?.word.text, tokens[at + 2]?.word.text];
  if (text === 'has' && next === 'been') return at + 2;
  return text === 'is' || text === 'was' ? at + 1 : -1;
}

/** Whether "it" only introduces what the sentence stresses: "it was the first time that the lake froze", "it was Kelm who built it". */
export function isCleft(tokens: readonly Token[], at: number): boolean {
  const text = (place: number): string => textAt(tokens, place);
  const copula = copulaBehindIt(tokens, at);
  if (copula < 0) return false;
  const isOne = text(copula + 1) === 'the';
  if (isOne && (ORDINALS.has(text(copula + 2)) || text(copula + 2) === 'only') && text(copula + 3) === 'time') return true;
  const from = copula + (isOne ? 2 : 1);
  const link = tokens.findIndex(({ word }, place) => place > from && LINKS.has(word.text));
  if (link < 0 || link > from + MAX_NAMED_WORDS || tokens[link]?.before !== SPACE) return false;
  const named = tokens.slice(from, link);
  // As in "it was the engineer Karl Reuter who"; "that" may go on from a noun instead, as in "it was a claim that".
  if (text(link) === 'who') return named.some(({ isCapitalised }) => isCapitalised);
  return named.every(({ word, isCapitalised }, place) => isCapitalised || (place > 0 && (word.hasDigit || word.isStopWord)));
}
