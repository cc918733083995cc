import { COMMA, SPACE } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import type { Opening } from './opening';

const COPULAS = new Set(['is', 'was']);
const ARTICLES = new Set(['a', 'an', 'the']);
/** They say nothing of what a thing is: "Culebra is the name of a hill". */
const NO_KINDS = new Set('name title word term result reason part example way one first last same best number'.split(' '));
const AFTER_HEAD = new Set('in of at on for from with by to near between and or that which who whose where'.split(' '));

/** What a sentence says that its subject is, lower-cased: "magazine" of "Arrajol is a monthly magazine published in Riyadh"; null if nothing. */
export function kindOf({ tokens }: Reading, { to }: Opening): string | null {
  const [copula, article] = [tokens[to], tokens[to + 1]];
  if (!COPULAS.has(copula?.word.text ?? '') || !ARTICLES.has(article?.word.text ?? '')) return null;
  let end = to + 2;
  while (end < tokens.length && !endsBefore(tokens, end)) end += 1;
  const head = tokens[end - 1];
  if (end === to + 2 || !head || head.isCapitalised || head.word.isStopWord || NO_KINDS.has(head.word.text)) return null;
  return head.word.text;
}

/** "A magazine, …", "a magazine in Riyadh", "a magazine published in Riyadh". */
function endsBefore(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || (token.before & COMMA) !== 0 || (token.before & SPACE) === 0) return true;
  if (AFTER_HEAD.has(token.word.text)) return true;
  const { verb } = token.word;
  return (verb.endsInEd || verb.isPastForm) && AFTER_HEAD.has(tokens[at + 1]?.word.text ?? '');
}
