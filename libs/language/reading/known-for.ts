import { isOneOf, type Token } from './token';

const KNOWN = new Set('known noted renowned remembered'.split(' '));
const BEFORE_KNOWN = new Set('best better well widely perhaps primarily mostly mainly internationally'.split(' '));
const AFTER_KNOWN = new Set(['for', 'as']);

/** Whether "(perhaps best) known for" stands here. A person said to be something is then also said to be known for it. */
export function isKnownFor(tokens: readonly Token[], at: number): boolean {
  if (isOneOf(BEFORE_KNOWN, tokens[at - 1])) return false;
  let known = at;
  while (isOneOf(BEFORE_KNOWN, tokens[known])) known += 1;
  return isOneOf(KNOWN, tokens[known]) && isOneOf(AFTER_KNOWN, tokens[known + 1]);
}
