import { DASH, SPACE } from '@lib/language/reading/characters';
import { partOf } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { BASES } from '@lib/language/reading/verb-forms';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

const COPULAS = new Set(['is', 'was']);
const ARTICLES = new Set(['a', 'an']);

/** What a sentence says that its subject is, given where that ends: "store" of "Quillstore is a key-value store written in Rust". Null if nothing. */
export function kindTold({ tokens }: Reading, subjectEnd: number): string | null {
  const verb = tokens.findIndex((_, at) => at >= subjectEnd && isFiniteVerbAt(tokens, at));
  if (!COPULAS.has(tokens[verb]?.word.text ?? '') || !ARTICLES.has(tokens[verb + 1]?.word.text ?? '')) return null;
  let at = verb + 2;
  while (isInNounPhrase(tokens, at)) at += 1;
  const head = tokens[at - 1];
  return at === verb + 2 || !head || head.isCapitalised || head.word.hasDigit ? null : head.word.text;
}

/** "Written" of "a store written in Rust" is not. */
function isInNounPhrase(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || token.word.isStopWord || (token.before & ~(SPACE | DASH)) !== 0) return false;
  const { text, verb } = token.word;
  return !(verb.isPastForm || BASES.has(text)) || tokens[at + 1]?.word.isStopWord === false;
}

/** Whether a sentence says of somebody or something that it did something to another that it names: "It bought Sund Systems". */
export const namesObject = ({ tokens }: Reading): boolean =>
  tokens.some(({ word, isCapitalised, before }, at) => {
    const verb = tokens[at - 1]?.word;
    return isCapitalised && !word.isStopWord && before === SPACE && verb?.verb.isPastForm === true && !verb.isStopWord;
  });

/**
 * What a question calls what it asks about, by the word for its kind: "database" of "the Quillstore database", "drug" of "the drug Velotamib". The
 * words of the first name it with its kind, the second is a name by itself.
 */
export function kindsAsked(question: Reading): Map<string, Reading> {
  const { tokens } = question;
  const kinds = new Map<string, Reading>();
  for (const [at, { word }] of tokens.entries()) {
    if (word.text !== 'the') continue;
    const isNoun = (place: number): boolean => tokens[place]?.isCapitalised === false && isInNounPhrase(tokens, place);
    const isName = (place: number): boolean => tokens[place]?.isCapitalised === true && isInNounPhrase(tokens, place);
    const first = isName(at + 1);
    const middle = endOf(at + 1, first ? isName : isNoun);
    const end = endOf(middle, first ? isNoun : isName);
    const kind = tokens[(first ? end : middle) - 1];
    if (kind && middle > at + 1 && end > middle && !kinds.has(kind.word.text))
      kinds.set(kind.word.text, nameFrom(question, first ? at : middle, end));
  }
  return kinds;
}

function nameFrom(question: Reading, from: number, to: number): Reading {
  const { text, tokens } = partOf(question, from, to);
  return new Reading(text.slice(0, tokens.at(-1)?.end), tokens);
}

function endOf(from: number, isPart: (at: number) => boolean): number {
  let end = from;
  while (isPart(end)) end += 1;
  return end;
}
