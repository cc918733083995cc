import { CLOSING, COLON, COMMA, OPENING, SEMICOLON, SPACE } from './characters';
import { hasCommaBefore, type Token } from './token';
import { isFiniteVerbAt } from './verbs';

const MAX_WORDS = 30;

/**
 * Index of the verb after an insertion between commas that follows the subject: "The mill, long the worst polluter, was closed". -1 if there is no
 * insertion. English.
 */
export function verbBehindSetOff(tokens: readonly Token[], from: number): number {
  if (tokens[from]?.before !== (COMMA | SPACE)) return -1;
  for (let at = from + 1; at <= from + MAX_WORDS; at += 1) {
    const token = tokens[at];
    if (!token || (token.before & (SEMICOLON | COLON | OPENING | CLOSING)) !== 0) return -1;
    if (hasCommaBefore(token) && isFiniteVerbAt(tokens, at)) return at;
  }
  return -1;
}
