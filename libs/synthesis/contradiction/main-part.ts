import { isInDate } from '@lib/language/reading/dates';
import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import { NAMED } from '@lib/language/reading/measures';
import { COLON, COMMA, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { ARTICLES_OR_ONE } from '@lib/language/reading/clauses';
import { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, type Token } from '@lib/language/reading/token';
import { mayReserve } from '../difference/scope';
import { contentWordsOf, type ContentWord } from '../difference/content-words';
import { whichOf } from '../difference/which-measure';

/** After a comma these begin additional information: "…, which is the largest", "…, with a clear drop". */
const TAILS = new Set('which who with as after because since thanks driven compared while although though so and but whichever'.split(' '));
/** These begin an independent part, which does not restrict the rest. */
const COORDINATING = new Set('and so but whichever'.split(' '));
/** Around an amount these repeat what its bounds say. */
const BOUNDING = AROUND_FIGURES.union(new Set(['exactly', 'record']));

/** In words. */
const MAX_LABEL_WORDS = 6;

/** A statement without its additional information. */
export interface MainPart {
  reading: Reading;
  /** Its content words other than amounts and dates. */
  telling: readonly ContentWord[];
  /** Additional information that may restrict the statement: "…, which held for men". */
  restriction: string;
  /** Words that tell which measure is meant, or when it was taken. */
  which: ReadonlySet<string>;
}

/** Null without an amount or a verb, or if the additional information may limit the statement. */
export function mainPartOf(whole: Reading): MainPart | null {
  const { tokens } = whole;
  if (isLabelled(whole)) return null;
  const end = tokens.findIndex((_, at) => at > 2 && beginsTail(tokens, at));
  const tail = end < 0 ? [] : tokens.slice(end);
  const kept = withoutAppositions(end < 0 ? tokens : tokens.slice(0, end));
  // Most statements have no additional information, so the existing reading is reused.
  const reading = kept.length === tokens.length ? whole : new Reading('', kept);
  if (!reading.amounts.some(({ unit }) => !unit.startsWith(NAMED)) || mayReserve(tail)) return null;
  const restricts = tail[0] !== undefined && !COORDINATING.has(tail[0].word.text);
  return {
    reading,
    telling: tellingIn(reading),
    restriction: restricts ? tail.map(({ word }) => word.text).join(' ') : '',
    which: whichOf(reading),
  };
}

/** A label with a value, whose subject is named elsewhere: "Weight: 211 g". */
export const isLabelled = ({ tokens }: Pick<Reading, 'tokens'>): boolean =>
  tokens.slice(1, MAX_LABEL_WORDS + 1).some(({ before }) => (before & COLON) !== 0 && (before & SPACE) !== 0) &&
  !tokens.some(({ word }) => word.verb.isFinite || word.verb.isPastForm);

function beginsTail(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || !next || token.isCapitalised) return false;
  const { text, verb } = token.word;
  if (token.before & (COMMA | SEMICOLON)) return TAILS.has(text) || verb.endsInIng || verb.isPastForm;
  return text === 'and' && !next.isCapitalised && (next.word.verb.isFinite || next.word.verb.isPastForm || next.word.verb.endsInS);
}

/** Removes appositions: "Skylign, a maker of software, …". Those with a name stay, since they tell which one is meant: "a maker in Norway". */
function withoutAppositions(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const begins = at > 0 && hasCommaBefore(token) && ARTICLES_OR_ONE.has(token.word.text);
    const end = begins ? tokens.findIndex((other, place) => place > at && hasCommaBefore(other)) : -1;
    const isPlain =
      end > 0 && !tokens.slice(at, end).some(({ word, isCapitalised }) => isCapitalised || word.hasDigit || word.verb.isFinite);
    if (isPlain) at = end - 1;
    else kept.push(token);
  }
  return kept;
}

function tellingIn(reading: Reading): ContentWord[] {
  const { amounts, dates } = reading;
  const isTaken = (at: number): boolean => amounts.some(({ from, to }) => at >= from && at < to) || isInDate(dates, at);
  return contentWordsOf(reading).filter(({ token, at }) => !isTaken(at) && !BOUNDING.has(token.word.text));
}
