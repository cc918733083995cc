import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import { COLON, COMMA, SEMICOLON, STOP } from '@lib/language/reading/characters';
import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { MOVING } from '@lib/language/reading/movements';
import type { Reading } from '@lib/language/reading/reading';
import { standingForAll } from '@lib/language/reading/synonyms';
import { isFiniteOrPast, textAt, type Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';
import { CLAUSE_BEGINNINGS } from './clauses';

/** Words that begin a new clause. */
const JOINING = CLAUSE_BEGINNINGS.union(words('whose and as after before'));
/** Around a figure, these do not tell what is measured. */
const BOUNDING = AROUND_FIGURES.union(words('to at'));
/** Nor do these: "the total cost" is the cost. */
const TELLING_NO_MEASURE = words(
  `total overall current currently estimated estimate reported report year end full figure group company number level amount rate latest record fiscal today now
meanwhile average again`,
);
/** Verbs that only introduce a figure. Verbs of movement do not tell what is measured either. */
const MEASURING = words(
  `have has had stand stands stood reach reaches reached total totals totalled totaled amount amounts amounted come comes came hit hits measure measures measured
weigh weighs weighed last lasts lasted take takes took post posts posted open opens opened remain remains remained stay stays stayed`,
);
const isMeasuring = ({ text, stem }: Word): boolean => MEASURING.has(text) || MOVING.has(stem);
/** Verbs with a person and a title: "voted Novotny player of the season". */
const NAMING = words('vote voted name named elect elected appoint appointed crown crowned choose chose chosen');
/** Most words before "of"; more would be a clause. */
const MAX_MEASURE_WORDS = 4;

/**
 * What the value at an index measures, as sorted stems: "gross margin" for "The gross margin fell to 42.7 %". Empty if unknown. English.
 *
 * @param asked the question, whose words distinguish no claims
 */
export const statedOf = ({ tokens }: Pick<Reading, 'tokens'>, place: number, asked: Reading): string =>
  statedStems(measuredBefore(tokens, place), asked);

/**
 * The words that tell what a value is: a label, a noun before "of", or the subject, with the verb and what follows it unless the verb only measures.
 */
function measuredBefore(tokens: readonly Token[], place: number): Token[] {
  const start = lastPlace(place, (at) => ((tokens[at]?.before ?? 0) & COLON) !== 0);
  const label = tokens.slice(0, start);
  let end = place;
  while (end > start && BOUNDING.has(textAt(tokens, end - 1))) end -= 1;
  if (end > start && tokens[end - 1]?.word.text === 'of') {
    const noun = nounBefore(tokens, start, end - 1);
    if (noun.length > 0) return [...label, ...noun];
  }
  const isJoint = (at: number): boolean =>
    JOINING.has(textAt(tokens, at)) || ((tokens[at]?.before ?? 0) & (COMMA | SEMICOLON | STOP)) !== 0;
  const lastVerb = lastPlace(place - 1, (at) => at > start && isFiniteOrPast(tokens[at]));
  const begin = lastPlace(lastVerb - 1, (at) => at > start && isJoint(at)) || start;
  const verb = tokens.findIndex((token, at) => at > begin && at < place && isFiniteOrPast(token));
  const word = tokens[verb]?.word;
  const only = word !== undefined && (isMeasuring(word) || FINITE_FORMS_OF_BE.has(word.text));
  return [...label, ...tokens.slice(begin, only ? verb : place)];
}

/** The last index, going down, that matches, or 0. */
function lastPlace(from: number, isWanted: (at: number) => boolean): number {
  for (let at = from; at > 0; at -= 1) if (isWanted(at)) return at;
  return 0;
}

function nounBefore(tokens: readonly Token[], start: number, end: number): readonly Token[] {
  let from = end;
  while (from > start && end - from < MAX_MEASURE_WORDS && !tokens[from - 1]?.word.isStopWord && !isFiniteOrPast(tokens[from - 1]))
    from -= 1;
  return tokens.slice(from, end);
}

/**
 * Sorted stems without numbers, words that do not tell what is measured, and words of the question. Only if nothing else is left, the question's own
 * words for a measure stand for it, such as "turnout"; its names do not.
 */
export function statedStems(tokens: readonly Token[], asked: Reading | null): string {
  if (!asked) return stemsOf(tokens);
  const measuring = tokens.filter(({ word }) => !tellsNoMeasure(word));
  const own = measuring.filter(({ word }) => !asked.stems.has(word.stem));
  return stemsOf(own.length > 0 ? own : measuring.filter((token) => !isNamed(token, asked)));
}

const isNamed = ({ word }: Token, { tokens }: Reading): boolean =>
  tokens.some((token, at) => at > 0 && token.isCapitalised && token.word.stem === word.stem);

const stemsOf = (telling: readonly Token[]): string => [...new Set(telling.map(({ word }) => standingForAll(word.stem)))].sort().join(' ');

const tellsNoMeasure = (word: Word): boolean =>
  word.isStopWord || word.hasDigit || word.isAmount || word.verb.isAdverb || TELLING_NO_MEASURE.has(word.text) || isMeasuring(word);

/**
 * What a name, given by its first and last index, is said to be: the words in the label before it, before "is", in the participle before "by", or
 * around it as in "voted Novotny player".
 */
export function partOfName(tokens: readonly Token[], first: number, last: number, asked: Reading): string {
  const [before, next] = [tokens[first - 1], tokens[last + 1]];
  const isLabel = ((tokens[first]?.before ?? 0) & COLON) !== 0;
  // A list of several: "Data types: strings, hashes and lists".
  if (isLabel && tokens.slice(first + 1).some(({ before: mark }) => (mark & (COMMA | SEMICOLON)) !== 0)) return '';
  if (isLabel || FINITE_FORMS_OF_BE.has(before?.word.text ?? '')) {
    const part = tokens.slice(0, isLabel ? first : first - 1);
    const isOfMany = /[^s]s$/.test(part.at(-1)?.word.text ?? '');
    return isOfMany || part.some(isFiniteOrPast) ? '' : statedStems(part, asked);
  }
  if (before?.word.text === 'by' && tokens[first - 2]?.word.verb.isPastForm)
    return `${statedStems(tokens.slice(first - 2, first - 1), null)} by`;
  return before && next && NAMING.has(before.word.text) && !next.word.isStopWord ? statedStems([before, next], null) : '';
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
