import { SPACE } from '@lib/language/reading/characters';
import type { Token } from '@lib/language/reading/token';
import { ORDINALS } from '../difference/superlatives';

/** Most words between "it was" and "that". */
const MAX_NAMED_WORDS = 6;

/** Whether "it" only introduces what the sentence stresses: "it was the first time that the lake froze", "it was Kelm Bank that collapsed". */
export function isCleft(tokens: readonly Token[], at: number): boolean {
  const text = (place: number): string => tokens[place]?.word.text ?? '';
  if (text(at) !== 'it' || (text(at + 1) !== 'is' && text(at + 1) !== 'was')) return false;
  if (text(at + 2) === 'the' && (ORDINALS.has(text(at + 3)) || text(at + 3) === 'only') && text(at + 4) === 'time') return true;
  const from = at + (text(at + 2) === 'the' ? 3 : 2);
  const that = tokens.findIndex(({ word }, place) => place > from && word.text === 'that');
  if (that < 0 || that > from + MAX_NAMED_WORDS || tokens[that]?.before !== SPACE) return false;
  return tokens
    .slice(from, that)
    .every(({ word, isCapitalised }, place) => isCapitalised || (place > 0 && (word.hasDigit || word.isStopWord)));
}
