import { CLOSE_SHARE } from '../question/closeness';
import type { Concept } from '../question/concept';
import type { RetrievedFacet } from '../finding/retrieve';
import { termsOf } from '../index/terms';

/** Factor for matching an identifier by its parts. */
const PARTS_SHARE = 0.5;

/** A text prepared for looking up the words of a question. */
export interface Texts {
  terms: ReadonlySet<string>;
  /** In lower case. */
  text: string;
}

export function textsOf(text: string): Texts {
  return { terms: new Set(termsOf(text)), text: text.toLowerCase() };
}

export function togetherOf(texts: readonly Texts[]): Texts {
  return { terms: new Set(texts.flatMap(({ terms }) => [...terms])), text: texts.map(({ text }) => text).join('\n') };
}

/**
 * How well a text matches a word of the question, from 0 to 1.
 * @param close words that mean about the same
 */
export function matched(
  { terms: names, parts, phrase, isName }: Concept,
  { terms, text }: Texts,
  close: RetrievedFacet['close'] = [],
): number {
  if (phrase !== undefined && text.includes(phrase)) return 1;
  if (names.some((name) => terms.has(name))) return 1;
  if (parts.length > 0 && parts.every((part) => terms.has(part))) return isName ? PARTS_SHARE : 1;
  if (isName) return 0;
  let best = 0;
  for (const [term, , closeness] of close) if (closeness > best && terms.has(term)) best = closeness;
  return best * CLOSE_SHARE;
}
