import { PARTS_OF_TIME } from '@lib/language/reading/periods';
import { COLON, COMMA, DASH, SEMICOLON, SPACE, STOP } from '@lib/language/reading/characters';
import { ARTICLES_AND_POSSESSIVES, FORMS_OF_SAY } from '@lib/language/reading/function-words';
import { isMonth } from '@lib/language/reading/dates';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isOneOf, isContentWord, type Token } from '@lib/language/reading/token';

/** A time, and the part of the sentence that it belongs to. */
export interface Time {
  date: PartialDate;
  verbs: readonly Token[];
  told: readonly Token[];
  isFirst: boolean;
  /** "Since", as in "incubating since 2018", tells of a duration. */
  isSince: boolean;
}

/** The dates of what happened, in order: see `timesIn`. */
export const datesOfEvents = (reading: Reading): PartialDate[] => timesIn(reading).map(({ date }) => date);

/** The times of events; not durations and price years: "for January to March 2026", "between 2018 and 2025", "in 2015 prices". */
export function timesIn({ tokens, dates }: Reading): Time[] {
  return dates.flatMap((date) => {
    const before = tokens.slice(Math.max(0, date.from - MAX_WORDS_BEFORE_DATE), date.from).map(({ word }) => word.text);
    if ((!AT_ONCE.has(before.at(-1) ?? '') && before.some((text) => OF_SPAN.has(text))) || OF_MONEY.has(tokens[date.to]?.word.text ?? ''))
      return [];
    if (tellsWhichOne(tokens, date)) return [];
    const clause = clauseOf(tokens, date.from);
    if (isOfRange(tokens, date) || clause.some((token) => isOneOf(OPEN, token))) return [];
    const has = (text: string): boolean => clause.some(({ word }) => word.text === text);
    return [{ date, verbs: clause.filter(isEventVerb), told: clause.filter(isContentWord), isFirst: has('first'), isSince: has('since') }];
  });
}

/** Whether a year only tells which one is meant: "the 2008 final". */
const tellsWhichOne = (tokens: readonly Token[], { from, to }: PartialDate): boolean => {
  const noun = tokens[to];
  return (
    ARTICLES_AND_POSSESSIVES.has(tokens[from - 1]?.word.text ?? '') &&
    noun?.isCapitalised === false &&
    isContentWord(noun) &&
    noun.before === SPACE
  );
};

/** Whether a date begins a range: "1931–35". */
const isOfRange = (tokens: readonly Token[], { to }: PartialDate): boolean =>
  tokens[to]?.word.hasDigit === true && (tokens[to].before & DASH) !== 0;
/** Words for a possibility, which is not an event. */
const OPEN = new Set('could may might'.split(' '));
/** Right before the date these mark a point in time: "jailed for murder in 2019", "ended for purchases after 30 June". */
const AT_ONCE = new Set('in on after before by until since'.split(' '));
/** How many words before a date may show that it is not a point in time. */
const MAX_WORDS_BEFORE_DATE = 3;
const OF_SPAN = new Set('for between'.split(' '));
const OF_MONEY = new Set('price prices dollar dollars euro euros pound pounds money terms'.split(' '));

/** The part between commas around an index; without a verb, together with the part before, or otherwise after it. */
function clauseOf(tokens: readonly Token[], at: number): readonly Token[] {
  const begins = (place: number): boolean => ((tokens[place]?.before ?? 0) & (COMMA | SEMICOLON | COLON | STOP)) !== 0;
  let [from, to] = [at, at + 1];
  while (from > 0 && !begins(from)) from -= 1;
  while (to < tokens.length && !begins(to)) to += 1;
  let hasVerb = tokens.slice(from, to).some(isFiniteOrPast);
  for (; from > 0 && !hasVerb; from -= 1) hasVerb = isFiniteOrPast(tokens[from - 1]);
  for (; to < tokens.length && !hasVerb; to += 1) hasVerb = isFiniteOrPast(tokens[to]);
  return tokens.slice(from, to);
}

export const isEventVerb = (token: Token): boolean =>
  isFiniteOrPast(token) &&
  !token.word.isStopWord &&
  !token.word.isLight &&
  !PLAIN.has(token.word.text) &&
  !FORMS_OF_SAY.has(token.word.text);
/** Verbs that only say that something happened, not what. */
const PLAIN = new Set(
  'came come went go took take taken made got followed began begun started held given gave received won awarded'.split(' '),
);

/** Whether a word only gives a time. */
export const tellsWhen = ({ word }: Token): boolean => word.hasDigit || isMonth(word.text) || WORDS_OF_TIME.has(word.text);
const WORDS_OF_TIME = PARTS_OF_TIME.union(new Set('year month week day quarter half'.split(' ')));
