import { COMMA, SEMICOLON, SPACE, STOP } from './characters';
import { stemsOf } from './lexicon';
import { hasCommaBefore, textAt, type Token } from './token';

/** Whether a sentence affirms or denies. */
export interface Polarity {
  /** Whether the number of negations is odd; two cancel each other out. */
  isNegated: boolean;
  isNoLonger: boolean;
  /** The same including negations in contrasted parts. */
  isNegatedInAll: boolean;
  /** Indexes of all negating words, including those without effect. */
  negations: readonly number[];
}

const COMPARED = new Set('more less fewer later earlier longer'.split(' '));
const EXCEPTED = new Set('nobody none nothing'.split(' '));
/** Words after which "not" denies nothing. */
export const IDLE_AFTER_NOT: ReadonlySet<string> = new Set('only least just merely simply until necessarily'.split(' '));
/** Between commas before a "not" that counts: "is, however, not …". */
const PARENTHETICAL = new Set('however therefore though thus indeed moreover nevertheless nonetheless consequently'.split(' '));
/** Most words of a phrase such as "as far as …,". */
const MAX_PHRASE_WORDS = 20;
const AFFIRMED: Polarity = { isNegated: false, isNegatedInAll: false, isNoLonger: false, negations: [] };

/** The polarity without contrasted parts, given by `leftOut`, since these are not stated. English. */
export function polarityOf(tokens: readonly Token[], leftOut: Uint8Array): Polarity {
  let all: number[] | undefined;
  for (let at = 0; at < tokens.length; at += 1) if (isNegationAt(tokens, at)) (all ??= []).push(at);
  if (!all) return AFFIRMED;
  const [first = 0] = all;
  // In "neither … nor" the second word does not cancel the first.
  const counted = all.filter((at) => !isIdle(tokens, at) && (at === first || textAt(tokens, at) !== 'nor'));
  const negations = all.filter((at) => leftOut[at] !== 1);
  return {
    isNegated: counted.filter((at) => leftOut[at] !== 1).length % 2 !== 0,
    isNegatedInAll: counted.length % 2 !== 0,
    isNoLonger: negations.some((at) => isNoLonger(tokens, at)),
    negations,
  };
}

function isNoLonger(tokens: readonly Token[], at: number): boolean {
  return textAt(tokens, at) === 'no' && textAt(tokens, at + 1) === 'longer' && textAt(tokens, at + 2) !== 'than';
}

export function isNegationAt(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.word;
  if (!word) return false;
  return word.isNegation || word.isNegated || (word.isNegationBeforeTo && textAt(tokens, at + 1) === 'to') || isAgainstDoing(tokens, at);
}

/** Whether a decision against an action stands here: "Decided in 2022 against recommending it", "advises against routinely offering them". */
export function isAgainstDoing(tokens: readonly Token[], at: number): boolean {
  if (textAt(tokens, at) !== 'against') return false;
  const isDone = [tokens[at + 1], tokens[at + 2]].some((next) => next?.word.verb.endsInIng);
  return isDone && tokens.slice(Math.max(0, at - MAX_DECIDING), at).some(({ word }) => DECIDING.has(word.stem));
}
/** Most words from a verb of deciding to its "against". */
const MAX_DECIDING = 4;
/** Verbs for deciding for or against something. */
export const DECIDING: ReadonlySet<string> = stemsOf('decide opt choose vote advise recommend rule warn counsel argue');

/**
 * Whether a negating word is part of a phrase that does not negate: "not only", "more often than not", "no more than", "nobody but", "and nowhere else", "no doubt", "no.
 * 5", "as far as nobody denies,".
 */
function isIdle(tokens: readonly Token[], at: number): boolean {
  const [word, next, after] = [textAt(tokens, at), textAt(tokens, at + 1), textAt(tokens, at + 2)];
  if (word === 'not') return IDLE_AFTER_NOT.has(next) || textAt(tokens, at - 1) === 'than' || isAsFarAs(tokens, at);
  if (EXCEPTED.has(word)) return next === 'but' || next === 'except' || isAsFarAs(tokens, at);
  if (word === 'nowhere') return next === 'else' && textAt(tokens, at - 1) === 'and';
  if (word !== 'no') return false;
  if (next === 'one') return after === 'but' || after === 'except';
  if (next === 'doubt' || (COMPARED.has(next) && after === 'than')) return true;
  return (((tokens[at]?.after ?? 0) & STOP) !== 0 && tokens[at + 1]?.word.hasDigit === true) || isAsFarAs(tokens, at);
}

function isAsFarAs(tokens: readonly Token[], at: number): boolean {
  for (let first = at; first >= Math.max(2, at - MAX_PHRASE_WORDS); first -= 1) {
    if (hasCommaBefore(tokens[first])) return false;
    if (textAt(tokens, first) === 'as' && textAt(tokens, first - 1) === 'far' && textAt(tokens, first - 2) === 'as') return true;
  }
  return false;
}

/** Indexes of words that are only contrasted with what is stated: "private, not public", "rather than …", "instead of …". */
export function contrastedIn(tokens: readonly Token[]): ReadonlySet<number> | null {
  let contrasted: Set<number> | null = null;
  for (let at = 0; at < tokens.length; at += 1) {
    const length = contrastAt(tokens, at);
    if (length === 0) continue;
    contrasted ??= new Set();
    let end = at + length;
    while (end < tokens.length && ((tokens[end]?.before ?? 0) & (COMMA | SEMICOLON | STOP)) === 0) end += 1;
    for (let place = at; place < end; place += 1) contrasted.add(place);
    at = end - 1;
  }
  return contrasted;
}

/** The only words that introduce a contrast. */
const CONTRASTING = new Set(['not', 'rather', 'instead']);

/** The number of words that introduce a contrast, including its first word; 0 for none. */
function contrastAt(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  if (!token || !CONTRASTING.has(token.word.text)) return 0;
  const next = textAt(tokens, at + 1);
  const introduction =
    token.word.text === 'not' &&
    ((hasCommaBefore(token) && !PARENTHETICAL.has(textAt(tokens, at - 1))) ||
      (textAt(tokens, at - 1) === 'but' && hasCommaBefore(tokens[at - 1])))
      ? 1
      : (token.word.text === 'rather' && next === 'than') || (token.word.text === 'instead' && next === 'of')
        ? 2
        : 0;
  const first = tokens[at + introduction];
  if (introduction === 0 || !first || first.before !== SPACE || first.word.text === 'only' || first.word.text === 'just') return 0;
  return introduction + 1;
}
