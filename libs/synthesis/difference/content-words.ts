import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import { isMonth } from '@lib/language/reading/dates';
import type { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isAffirming, NARROWING } from '../alignment/edit-kinds';
import { isIdle } from '../alignment/idle';
import { isSuperlative, ORDINALS } from './superlatives';

/** A word that matters for the meaning of a statement. */
export interface ContentWord {
  token: Token;
  /** Its index among all words. */
  at: number;
  /** Its role, given by the preposition before it; empty if there is none. */
  relation: string;
}

/** Stop words that reverse, limit or quantify a statement. */
const TELLING = new Set(
  `all some most every each no none nobody both neither either few only just may might could can cannot must shall should will would until unless if
not never nor without against more less than before after above below under over whether`.split(/\s+/),
);
/** Prepositions by the role they mark; those of place and time are treated as nearly the same. */
const RELATIONS: ReadonlyMap<string, string> = new Map(
  `in in;at in;on in;within in;during in;from from;to to;into to;by by;via by;with with;for for;of of;about of;against against;between between;before before;
after after;since since;until until;till until;under under;over over;above over;below under;out from;without without;unlike unlike;through through;as as`
    .split(/[;\n]+/)
    .map((pair) => pair.split(' ') as [string, string]),
);
/** Most words between "was" and its participle, and between the participle and "by". */
const MAX_WORDS_BESIDE_PARTICIPLE = 3;

/** The words that matter, in order; a passive with its agent is put into the order of the active. */
export function contentWordsOf({ tokens }: Reading): ContentWord[] {
  const items = inActiveOrder(tokens).flatMap(({ at, relation }): ContentWord[] => {
    const token = tokens[at];
    return token && countsAsContent(token) ? [{ token, at, relation }] : [];
  });
  return withIntroductionLast(items, tokens);
}

/** Moves an introduction to the end: "In 1962, Ada won" becomes "Ada won in 1962". */
function withIntroductionLast(items: readonly ContentWord[], tokens: readonly Token[]): ContentWord[] {
  const [first] = items;
  if (!first || first.relation === '' || first.at > 2) return [...items];
  const end = items.findIndex(
    ({ at, relation }, place) => place > 0 && (relation === '' || hasCommaBefore(tokens[at])) && !isDate(items, place),
  );
  return end < 1 ? [...items] : [...items.slice(end), ...items.slice(0, end)];
}

/** Whether an amount continues a date: "On May 1, 1962, …" */
const isDate = (items: readonly ContentWord[], place: number): boolean =>
  items[place]?.token.word.isAmount === true && items[place - 1]?.token.word.isAmount === true;

function countsAsContent(token: Token): boolean {
  const { word, isCapitalised } = token;
  if (TELLING.has(word.text) || NARROWING.has(word.text) || !isAffirming(token) || word.isAmount) return true;
  return !word.isStopWord && (isCapitalised || !isIdle(word));
}

interface Place {
  at: number;
  relation: string;
}

function inActiveOrder(tokens: readonly Token[]): Place[] {
  const places = withRelations(tokens);
  const doer = doerOf(tokens);
  if (!doer) return places;
  const { copula, by, end } = doer;
  const isDoer = ({ at }: Place): boolean => at > by && at < end;
  const isSubject = ({ at }: Place): boolean => at <= copula;
  const doers = places.filter(isDoer).map((place) => ({ ...place, relation: '' }));
  const within = places.filter(({ at }) => at > copula && at < by);
  const [verb, others] = [within.filter(({ relation }) => relation === ''), within.filter(({ relation }) => relation !== '')];
  return [...doers, ...verb, ...places.filter(isSubject), ...others, ...places.filter(({ at }) => at >= end)];
}

/** Each word with the preposition of its phrase. */
export function withRelations(tokens: readonly Token[]): Place[] {
  const places: Place[] = [];
  const isActive = doerOf(tokens) === null;
  let relation = '';
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const { text, isStopWord, verb } = token.word;
    if (token.before & (COMMA | SEMICOLON) || (isActive && beginsAfterDate(tokens, at))) relation = '';
    const named = isInfinitiveOfRank(tokens, at) ? '' : isWithinRange(tokens, at) ? undefined : RELATIONS.get(text);
    if (named !== undefined) relation = named;
    else if (verb.isFinite || text === 'and' || text === 'or') relation = '';
    if (!isStopWord || TELLING.has(text)) places.push({ at, relation });
  }
  return places;
}

/** “To” in “1 to 2 %”. */
const isWithinRange = (tokens: readonly Token[], at: number): boolean =>
  textAt(tokens, at) === 'to' && tokens[at - 1]?.word.isAmount === true && tokens[at + 1]?.word.isAmount === true;

/**
 * An infinitive after a rank belongs to the subject: "the first to win" and "the first Indian to be elected" won and was elected; but not "the first
 * visit to hospitals".
 */
const isInfinitiveOfRank = (tokens: readonly Token[], at: number): boolean => {
  const next = tokens[at + 1];
  if (tokens[at]?.word.text !== 'to' || !next || next.isCapitalised || next.word.isAmount || next.word.verb.isDeterminer) return false;
  if (next.word.verb.endsInS || next.word.verb.endsInIng) return false;
  return tokens.slice(Math.max(0, at - MAX_RANKED_WORDS), at).some(({ word }) => RANKING.has(word.text) || isSuperlative(word.text));
};
/** As in "the only one to win", "the next to win". */
const RANKING = new Set([...ORDINALS, 'only', 'next']);
const MAX_RANKED_WORDS = 4;

/** Whether the subject begins right after a date: "In May 2020 Kelm sold it". Not used in a passive that names its agent. */
function beginsAfterDate(tokens: readonly Token[], at: number): boolean {
  if (at < 2 || at > MAX_DATE_WORDS || RELATIONS.get(textAt(tokens, 0)) === undefined || tokens[at]?.isCapitalised !== true) return false;
  return !isOfDate(tokens[at]) && tokens.slice(1, at).every(isOfDate);
}
/** Most words of a date with its preposition: "On 6 January 1912". */
const MAX_DATE_WORDS = 4;
const isOfDate = (token: Token | undefined): boolean => token !== undefined && (token.word.isAmount || isMonth(token.word.text));

/** For a passive such as "was beaten by …" the indexes of "was", of "by", and after the agent's last word; null if no agent is named. */
export function doerOf(tokens: readonly Token[]): { copula: number; by: number; end: number } | null {
  for (let by = 0; by < tokens.length; by += 1) {
    const next = tokens[by + 1];
    if (tokens[by]?.word.text !== 'by' || !next || next.word.verb.endsInIng || next.word.hasDigit) continue;
    const copula = tokens.findLastIndex((token, at) => at < by && FORMS_OF_BE.has(token.word.text));
    if (copula < 1 || by - copula > 2 * MAX_WORDS_BESIDE_PARTICIPLE) continue;
    let end = by + 1;
    while (end < tokens.length && !endsDoer(tokens[end], tokens[end + 1], end > by + 1)) end += 1;
    return { copula, by, end };
  }
  return null;
}

function endsDoer(token: Token | undefined, next: Token | undefined, isInner: boolean): boolean {
  if (!token) return true;
  if (token.word.text === 'and') return next?.isCapitalised !== true;
  if (isInner && token.before & (COMMA | SEMICOLON) && !token.isCapitalised) return true;
  const { text, verb } = token.word;
  return (RELATIONS.has(text) && text !== 'of' && isInner) || verb.isFinite || text === 'who' || text === 'which';
}
