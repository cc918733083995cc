import { hasCommaBefore, type Token } from './token';

/** The words of a condition, from "if" to the comma behind it, exclusive; without a comma to the end. */
export interface Condition {
  from: number;
  to: number;
}

/** @param begins whether a word begins one. @returns the first condition; null if there is none */
export function conditionIn(tokens: readonly Token[], begins: (token: Token) => boolean): Condition | null {
  const from = tokens.findIndex(begins);
  if (from < 0) return null;
  const comma = tokens.findIndex((token, at) => at > from && hasCommaBefore(token));
  return { from, to: comma < 0 ? tokens.length : comma };
}
