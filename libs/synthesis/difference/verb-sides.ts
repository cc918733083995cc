import { stemOrStopWord } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { BASES } from '@lib/language/reading/verb-forms';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

/**
 * What a word is to what the sentence tells of: `doer` and `undergoer` of what is done, one of two that are said to be the `same`, or `subject`
 * and `complement` where the one is only a kind of the other. Empty where it cannot be told.
 */
export type Side = 'doer' | 'undergoer' | 'same' | 'subject' | 'complement' | '';

const COPULAS = new Set('is are was were been being be became become becomes remains remained'.split(' '));
const PASSIVE = new Set('is are was were been being be'.split(' '));
export const DEFINITE = new Set('the its his her their'.split(' '));
const NEAR = 3;

/** A verb of the sentence: where it stands, and what stands before it and after it by itself. */
export interface Verb {
  at: number;
  before: Side;
  after: Side;
  /** "Lost to": what follows "to" did it. */
  isLoss?: boolean;
}

/** The verbs of a sentence with what stands on their sides. */
export function verbsIn(tokens: readonly Token[]): Verb[] {
  const verbs: Verb[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.isCapitalised) continue;
    if (COPULAS.has(token.word.text)) {
      if (participleAfter(tokens, at) < 0) verbs.push(copulaAt(tokens, at));
    } else if (carriesAct(tokens, at)) verbs.push({ at, before: '', after: '' });
    else if (isParticiple(token) && isPassive(tokens, at))
      verbs.push({ at, before: isGiven(tokens, at) ? 'doer' : 'undergoer', after: 'undergoer' });
    else if (token.word.stem === LOSE && losesTo(tokens, at)) verbs.push({ at, before: 'undergoer', after: '', isLoss: true });
    else if (token.word.stem === JOIN && isFiniteVerbAt(tokens, at)) verbs.push({ at, before: 'undergoer', after: 'doer' });
    else if (!token.word.isStopWord && isFiniteVerbAt(tokens, at) && !token.word.verb.isAdverb)
      verbs.push({ at, before: 'doer', after: 'undergoer' });
  }
  return verbs;
}

function copulaAt(tokens: readonly Token[], at: number): Verb {
  const hasArticle = (from: number, to: number): boolean =>
    tokens.slice(from, to).some(({ word, isCapitalised }) => DEFINITE.has(word.text) || (isCapitalised && !word.isStopWord));
  const isSame = hasArticle(0, at) && hasArticle(at + 1, at + 5) && !/^an?$/.test(tokens[at + 1]?.word.text ?? '');
  return isSame ? { at, before: 'same', after: 'same' } : { at, before: 'subject', after: 'complement' };
}

const GIVEN = new Set(['awarded', 'given', 'granted']);

/** "Was awarded the prize" is "received the prize". */
const isGiven = (tokens: readonly Token[], at: number): boolean => {
  const next = tokens[at + 1];
  return (
    GIVEN.has(tokens[at]?.word.text ?? '') &&
    next !== undefined &&
    (!next.word.isStopWord || /^(?:an?|the|his|her|its|their)$/.test(next.word.text))
  );
};

/** Whom a club signs joins it: who joins is signed. */
const JOIN = stemOrStopWord('join');
const LOSE = stemOrStopWord('lose');

/** "Lost the final to Kelm", "lost 2–1 to Kelm". */
const losesTo = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(at + 1, at + 8).some(({ word }, place, rest) => word.text === 'to' && rest[place + 1]?.word.verb.isFinite === false);

const RECEIVING = new Set(
  'receive receives received get gets got obtain obtains obtained earn earns earned undergo undergoes underwent'.split(' '),
);
const ACT = /(?:tion|sion|ment|val|sal|ance|ence|ure|ery)s?$/;

/** "Received approval": what is done is told by the noun. */
const carriesAct = (tokens: readonly Token[], at: number): boolean =>
  RECEIVING.has(tokens[at]?.word.text ?? '') && tokens.slice(at + 1, at + 1 + NEAR).some(({ word }) => ACT.test(word.text));

const isParticiple = ({ word }: Token): boolean => (word.verb.isPastForm || BASES.has(word.text)) && !word.isStopWord;

function participleAfter(tokens: readonly Token[], at: number): number {
  const end = Math.min(tokens.length, at + 1 + NEAR);
  for (let place = at + 1; place < end; place += 1) {
    const token = tokens[place];
    if (!token) return -1;
    if (isParticiple(token)) return place;
    if (!token.word.verb.isAdverb && !PASSIVE.has(token.word.text)) return -1;
  }
  return -1;
}

function isPassive(tokens: readonly Token[], at: number): boolean {
  for (let place = at - 1; place >= Math.max(0, at - NEAR); place -= 1) {
    const word = tokens[place]?.word;
    if (word && PASSIVE.has(word.text)) return true;
    if (word?.verb.isAdverb !== true) break;
  }
  return tokens[at + 1]?.word.text === 'by';
}

/** Whether one says what is and the other what was. */
export function isOfOtherTime({ tokens: mine }: Reading, { tokens: theirs }: Reading): boolean {
  const [one, other] = [timesOf(mine), timesOf(theirs)];
  return one.size > 0 && other.size > 0 && one.isDisjointFrom(other);
}

const TIMES: ReadonlyMap<string, string> = new Map(
  Object.entries({ is: 'now', are: 'now', becomes: 'now', remains: 'now', was: 'then', were: 'then', became: 'then', remained: 'then' }),
);

const timesOf = (tokens: readonly Token[]): ReadonlySet<string> =>
  new Set(
    tokens.flatMap(({ word, isCapitalised }, at) => {
      const time = isCapitalised ? undefined : TIMES.get(word.text);
      return time !== undefined && participleAfter(tokens, at) < 0 ? [time] : [];
    }),
  );
