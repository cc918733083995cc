import { verbCertaintyInS } from '../known-words';
import { ARTICLES_AND_POSSESSIVES, COMMON_PREPOSITIONS } from './function-words';
import type { Reading } from './reading';
import { hasCommaBefore, isFiniteOrPast, textAt, type Token } from './token';

/** A clause without a verb of its own, by the indexes of its words: `subject` up to `behind`, and then what is said of it. */
export interface GappedClause {
  /** Where what the first clause says begins: its verb. */
  verb: number;
  subject: number;
  behind: number;
}

/** Most words of its subject, without an article. */
const MAX_SUBJECT = 4;
const JOINING = new Set('and while but whereas'.split(' '));
/** Words before what is said of each subject. */
const LEADS = COMMON_PREPOSITIONS.difference(new Set(['of'])).union(
  new Set('every each since until after before between over under'.split(' ')),
);
const OTHERS = new Set('other others rest latter'.split(' '));

/**
 * The second clause of a sentence that shares the verb of the first: “Bergen for three years” in “Oslo offers grants for five years, Bergen for three
 * years”. Null if there is none. English.
 */
export function gappedClauseIn(reading: Reading): GappedClause | null {
  const { tokens, subjectEnd: verb } = reading;
  for (let at = verb + 2; at < tokens.length; at += 1) {
    if (!hasCommaBefore(tokens[at]) && !JOINING.has(textAt(tokens, at - 1))) continue;
    const behind = endOfSubject(tokens, at);
    const clause = { verb, subject: at, behind };
    if (behind > at && (isOneOfDated(reading, behind) || (!isListed(reading, at) && isParallel(reading, clause)))) return clause;
  }
  return null;
}

/** Whether what follows the second subject has a counterpart behind the verb: the same preposition, or a number for a number. */
function isParallel({ tokens, dates }: Reading, { verb, subject, behind }: GappedClause): boolean {
  const isOfDate = (at: number): boolean => dates.some(({ from, to }) => from <= at && at < to);
  const isNumber = (at: number): boolean => (tokens[at]?.word.numeral ?? null) !== null && !isOfDate(at);
  const places = tokens.flatMap((_, at) => (at >= verb && at < subject ? [at] : []));
  if (isNumber(behind)) return places.some(isNumber);
  const lead = textAt(tokens, behind);
  if (!LEADS.has(lead)) return false;
  // As in “born in Ulm, Germany in 1956”, where the noun belongs to the words before it.
  if (isOfDate(behind + 1) && !places.some(isOfDate)) return false;
  const isSame = places.some((at) => textAt(tokens, at) === lead);
  if (hasCommaBefore(tokens[subject])) return isSame || isBareNoun(tokens.slice(subject, behind));
  // Behind “and” it may be a further object: “bans smoking in bars and restaurants in Ulm”.
  return isSame && (tokens[subject]?.isCapitalised === true || isNumber(behind + 1));
}

/** Whether each of several subjects has a date: “Norway followed within months, Scotland in 2006 and England in 2007”. */
function isOneOfDated({ tokens, dates }: Reading, behind: number): boolean {
  const isDated = (at: number): boolean => LEADS.has(textAt(tokens, at)) && dates.some(({ from, to }) => from <= at + 1 && at + 1 < to);
  const next = tokens.findIndex((token, at) => at > behind + 1 && (hasCommaBefore(token) || JOINING.has(textAt(tokens, at))));
  const end = next < 0 ? -1 : endOfSubject(tokens, JOINING.has(textAt(tokens, next)) ? next + 1 : next);
  return end > 0 && isDated(behind) && isDated(end);
}

/** Whether a word is of a list of three or more: “training, guidance and oversight to its workers”. */
const isListed = ({ enumerations }: Reading, at: number): boolean =>
  enumerations.some(({ items }) => items.length > 2 && items.some(({ from, to }) => from <= at && at < to));

/** Where a noun phrase ends that begins at an index; -1 if none does, or if a comma follows it. */
function endOfSubject(tokens: readonly Token[], from: number): number {
  const begin = ARTICLES_AND_POSSESSIVES.has(textAt(tokens, from)) ? from + 1 : from;
  let end = begin;
  while (end - begin < MAX_SUBJECT && mayBeNoun(tokens[end]) && (end === begin || !hasCommaBefore(tokens[end]))) end += 1;
  // “Line 2 every ten minutes”.
  if (end > begin && tokens[end]?.word.hasDigit && LEADS.has(textAt(tokens, end + 1))) end += 1;
  return end > begin && end < tokens.length && !hasCommaBefore(tokens[end]) ? end : -1;
}

function mayBeNoun(token: Token | undefined): boolean {
  if (!token) return false;
  const { text, hasDigit, isAmount, isStopWord, verb } = token.word;
  return OTHERS.has(text) || (!hasDigit && !isAmount && !isStopWord && !verb.isAdverb && !verb.endsInIng && !isFiniteOrPast(token));
}

/** Only a further subject has no article and is no name: “The city pays teachers in cash, plumbers by card”. Not a verb. */
const isBareNoun = ([noun, second]: readonly Token[]): boolean =>
  noun !== undefined &&
  second === undefined &&
  !noun.isCapitalised &&
  /[^s]s$/.test(noun.word.text) &&
  verbCertaintyInS(noun.word.text) === undefined;
