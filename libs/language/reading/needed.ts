import { YEAR } from './numeral';
import { verbCertainty } from '../known-words';
import { COMMA, SEMICOLON, SPACE } from './characters';
import { AROUND_FIGURES } from './comparators';
import { CLAUSE_CONJUNCTIONS, FORMS_OF_HAVE } from './function-words';
import { FINITE_FORMS_OF_BE } from './forms-of-be';
import { stemOrStopWord, stemsOf } from './lexicon';
import { MOVING } from './movements';
import { isPastVerb, isContentWord, hasCommaBefore, textAt, type Token } from './token';
import { isOfTime } from './units';
import type { Word } from './word';

/**
 * Whether the text before an index is incomplete or changes its meaning without what follows: "agreed" to do what, "a jump" in what, "rising" by how
 * much, "3 %" of what. English.
 */
export const needsWhatFollows = (tokens: readonly Token[], at: number): boolean =>
  (tokens[at]?.word.text === 'to' && (asksToDo(tokens, at) || hasTimeFor(tokens, at))) ||
  (tokens[at]?.word.text === 'in' && isOfChange(tokens, at)) ||
  (tokens[at]?.word.text === 'by' && tellsHowMuch(tokens, at)) ||
  (tokens[at]?.word.text === 'of' && (tokens[at - 1]?.word.isAmount === true || tellsMeasure(tokens, at))) ||
  hasVerbBehindPeriod(tokens, at) ||
  isEachOrAll(tokens, at) ||
  limitsBan(tokens, at) ||
  completesVerb(tokens, at) ||
  tellsWhichOfAll(tokens, at) ||
  tellsOfWhatItRanks(tokens, at) ||
  tellsUpTo(tokens, at) ||
  tellsForWhom(tokens, at) ||
  tellsOfWhat(tokens, at) ||
  tellsWhatIsSaid(tokens, at);

/** Whether it is told where or for what something is forbidden: "France banned phones …" */
const limitsBan = (tokens: readonly Token[], at: number): boolean =>
  LIMITING.has(textAt(tokens, at)) &&
  tokens[at + 1]?.word.hasDigit === false &&
  clauseBefore(tokens, at, MAX_BAN_WORDS).some(({ word }) => BANNING.has(word.stem));
const BANNING = stemsOf('ban prohibit forbid outlaw');
const LIMITING = new Set('in on at from for within inside near during under between along'.split(' '));
/** Most words from the verb to the place. */
const MAX_BAN_WORDS = 8;

/** Whether a verb says nothing without its second object: "Sweden replaced maternity leave …". */
const completesVerb = (tokens: readonly Token[], at: number): boolean =>
  hasNoComma(tokens[at]) &&
  clauseBefore(tokens, at, MAX_BAN_WORDS).some(({ word }) => OF_TWO_OBJECTS.get(word.stem)?.has(textAt(tokens, at)) === true);
const OF_TWO_OBJECTS = new Map<string, ReadonlySet<string>>(
  [
    ['replace substitute supplant', 'with by'],
    ['convert transform divide turn', 'into to'],
    ['compare confuse equate', 'with to'],
    ['swap exchange mistake', 'for'],
    ['attribute ascribe confine liken', 'to'],
    ['distinguish prevent deter', 'from'],
    ['go went gone', 'to into'],
  ].flatMap(([verbs = '', words = '']) => [...stemsOf(verbs)].map((stem) => [stem, new Set(words.split(' '))] as const)),
);

/** Whether an amount is told to be each one's or that of all: "€90,000 each", "€90,000 in total". */
const isEachOrAll = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.word.isAmount === true &&
  (EACH_OR_ALL.has(textAt(tokens, at)) || (textAt(tokens, at) === 'in' && textAt(tokens, at + 1) === 'total'));
const EACH_OR_ALL = new Set('each apiece altogether combined together'.split(' '));

/** Whether an infinitive is needed: "The court ordered Kelm …", "the council agreed in May …". */
function asksToDo(tokens: readonly Token[], to: number): boolean {
  const before = clauseBefore(tokens, to, MAX_ASKED_WORDS);
  // Only forms in "ed" count, because "force", "order" and "requests" are also nouns.
  if (before.some(({ word }) => word.verb.endsInEd && ASKING.has(word.stem))) return true;
  const next = tokens[to + 1];
  const mayBeToDo = next?.isCapitalised === false && (FORMS_TO_DO.has(next.word.text) || verbCertainty(next.word.text) !== undefined);
  return before.some(({ word }, place) => INTENDING.has(word.stem) && (place === before.length - 1 || mayBeToDo));
}
/** Whether the purpose of a period is needed: "The board has six months …". */
const hasTimeFor = (tokens: readonly Token[], to: number): boolean =>
  isTime(tokens[to - 1]?.word) &&
  tokens
    .slice(Math.max(0, to - MAX_TIME_WORDS), to)
    .some(({ word }, at, near) => FORMS_OF_HAVE.has(word.text) && near[at + 1]?.word.isAmount);
/** Verbs with a person and a required infinitive. */
const ASKING = stemsOf(
  'order force require ask allow urge instruct oblige compel advise persuade convince invite expect enable permit command request encourage prompt cause',
);
/** Verbs of intention with a required infinitive. */
const INTENDING = stemsOf('agree decide refuse decline intend vow pledge threaten attempt choose seek opt fail');
const FORMS_TO_DO = new Set('be have do'.split(' '));
/** Most words from the verb to "to". */
const MAX_ASKED_WORDS = 8;

/** Whether the thing that changes is needed: "A jump of 40 % …". */
function isOfChange(tokens: readonly Token[], at: number): boolean {
  if (!namesWhat(tokens, at + 1)) return false;
  const before = clauseBefore(tokens, at, MAX_CHANGE_WORDS);
  const change = before.findLastIndex(({ word }) => MOVING.has(word.stem));
  const isNoun = before.slice(Math.max(0, change - 2), Math.max(0, change)).some(({ word }) => word.verb.isDeterminer || word.isAmount);
  return isNoun && !before.slice(change + 1).some(isPastVerb);
}
/** Most words from the noun to "in": "a rise of more than 40 %". */
const MAX_CHANGE_WORDS = 8;

/** Whether "in" names a thing and not a time or place: its phrase does not end with a year, a period or a name. */
function namesWhat(tokens: readonly Token[], behind: number): boolean {
  const from = tokens[behind]?.word.verb.isDeterminer ? behind + 1 : behind;
  const end = tokens.findIndex(({ word, before }, at) => at >= from && (word.isStopWord || (at > from && (before & ~SPACE) !== 0)));
  const words = tokens.slice(from, end < 0 ? tokens.length : end);
  return words.at(-1)?.isCapitalised === false && !words.some(({ word }) => word.hasDigit || isTime(word));
}

/** Whether an amount is needed: "a maximum depth of about …". */
function tellsMeasure(tokens: readonly Token[], of: number): boolean {
  const near = tokens.slice(of + 1, of + 2 + MAX_HEDGE_WORDS);
  const amount = near.findIndex(({ word }) => word.isAmount);
  return amount >= 0 && near.slice(0, amount).every(({ word }) => word.isStopWord || AROUND_FIGURES.has(word.text));
}

/** Whether the extent of a change is needed: "rising …". */
function tellsHowMuch(tokens: readonly Token[], by: number): boolean {
  const amount = tokens.slice(by + 1, by + 1 + MAX_HEDGE_WORDS).find(({ word }) => word.isAmount);
  if (!amount || YEAR.test(amount.word.text)) return false;
  return clauseBefore(tokens, by, MAX_MOVED_WORDS).some(({ word }) => MOVING.has(word.stem));
}
/** Most words of a comparator such as "more than" or "nearly". */
const MAX_HEDGE_WORDS = 3;
/** Most words from the verb to "by": "cut its staff". */
const MAX_MOVED_WORDS = 5;

/** Whether the main verb follows a period, so the verb before only identifies the subject: "People moved to Ulm after 36 weeks gained 2 kg". */
function hasVerbBehindPeriod(tokens: readonly Token[], at: number): boolean {
  const unit = [at + 2, at + 3].find((place) => isTime(tokens[place]?.word));
  if (unit === undefined || !tokens.slice(at + 1, unit).some(({ word }) => word.isAmount)) return false;
  const [verb, next] = [tokens[unit + 1], tokens[unit + 2]];
  return isPastVerb(verb) && verb?.before === SPACE && next !== undefined && next.word.text !== 'by';
}

const isTime = (word: Word | undefined): boolean => word !== undefined && (isOfTime(word.unit?.dimension ?? '') || SEASONS.has(word.text));
const SEASONS = new Set('season quarter spring summer autumn winter'.split(' '));

/** At most `most` words before an index, after the last comma or conjunction. */
function clauseBefore(tokens: readonly Token[], at: number, most: number): readonly Token[] {
  const near = tokens.slice(Math.max(0, at - most), at);
  const joint = near.findLastIndex(({ before, word }) => (before & (COMMA | SEMICOLON)) !== 0 || CLAUSE_CONJUNCTIONS.has(word.text));
  return near.slice(Math.max(0, joint));
}

const hasNoComma = (token: Token | undefined): boolean => token !== undefined && !hasCommaBefore(token);

/** Whether the scope of a rank is needed: "She became the first woman in Germany …". */
function tellsWhichOfAll(tokens: readonly Token[], at: number): boolean {
  if (!hasNoComma(tokens[at]) || !RANKED.has(textAt(tokens, at))) return false;
  const before = clauseBefore(tokens, at, MAX_RANKED_WORDS);
  return before.some(({ word }, place) => RANKS.has(word.text) && before[place - 1]?.word.text === 'the' && isBecoming(before[place - 2]));
}
const RANKS = new Set('first last only sole youngest oldest second third'.split(' '));
/** Whether it is told of what something ranks first or last: "had the last natural case …". */
const tellsOfWhatItRanks = (tokens: readonly Token[], at: number): boolean =>
  textAt(tokens, at) === 'of' &&
  tokens
    .slice(Math.max(0, at - MAX_WORDS_FROM_RANK), at)
    .some(({ word }, place, near) => RANKS.has(word.text) && near[place - 1]?.word.text === 'the');
/** With the article: "the last natural case of". */
const MAX_WORDS_FROM_RANK = 5;

/** Words that introduce the scope of a rank. */
const RANKED = new Set('to with who whose that'.split(' '));
const isBecoming = (token: Token | undefined): boolean =>
  token !== undefined && (token.word.stem === BECOMING || FINITE_FORMS_OF_BE.has(token.word.text));
const BECOMING = stemOrStopWord('became');
/** Most words from the verb on: "the first woman in Germany". */
const MAX_RANKED_WORDS = 9;

/** Whether the end of a change is needed: "It grew from 4 million hectares …", "… from 4 million in 1960 …". */
function tellsUpTo(tokens: readonly Token[], at: number): boolean {
  const to = tokens.slice(at, at + MAX_TIME_WORDS).findIndex(({ word }) => word.text === 'to') + at;
  if (to < at || !tokens.slice(to + 1, to + 4).some(({ word }) => word.isAmount)) return false;
  const before = clauseBefore(tokens, at, MAX_CHANGE_WORDS);
  const from = before.findIndex(({ word }) => word.text === 'from');
  return from >= 0 && before.slice(from).some(({ word }) => word.isAmount) && !before.slice(from).some(({ word }) => word.text === 'to');
}
/** Most words of a time before "to": "in 1960", "in the late 1990s". */
const MAX_TIME_WORDS = 5;

/** Whether the group or occasion of a recommendation is needed: "The board recommends a statin …". */
const tellsForWhom = (tokens: readonly Token[], at: number): boolean =>
  hasNoComma(tokens[at]) &&
  CONDITIONS.has(textAt(tokens, at)) &&
  clauseBefore(tokens, at, MAX_MOVED_WORDS).some(({ word }) => RECOMMENDING.has(word.text));
const CONDITIONS = new Set('for at if when where in with above from'.split(' '));
const RECOMMENDING = new Set('recommend recommends recommended advise advises advised'.split(' '));

/** Whether the subject of evidence is needed: "Sufficient evidence …", "sufficient evidence in 2022 …". */
function tellsOfWhat(tokens: readonly Token[], at: number): boolean {
  if (!EVIDENCE.has(textAt(tokens, at - 1)) || !hasNoComma(tokens[at])) return false;
  const isTime = WHEN_OR_WHERE.has(textAt(tokens, at)) && tokens[at + 1]?.word.hasDigit === true;
  return ABOUT.has(textAt(tokens, isTime ? at + 2 : at));
}
const EVIDENCE = new Set('evidence proof signs doubt doubts'.split(' '));
const ABOUT = new Set('of for that against about'.split(' '));

/** Whether the content of a statement is needed: "Cobb argued in 2023 …". */
function tellsWhatIsSaid(tokens: readonly Token[], at: number): boolean {
  const before = clauseBefore(tokens, at, MAX_CHANGE_WORDS);
  const said = before.findLastIndex(({ word, isCapitalised }) => !isCapitalised && SAYING.has(word.text));
  if (said < 0) return false;
  const [next, ...others] = before.slice(said + 1);
  const isStatedAlready = [next, ...others].some(
    (token) => token?.word.text === 'that' || (token?.isCapitalised === false && isContentWord(token)),
  );
  return !isStatedAlready && (next === undefined ? tokens[at]?.word.text === 'that' : WHEN_OR_WHERE.has(next.word.text));
}
const SAYING = new Set(
  'argued argue argues claimed claims contended concluded concludes insisted warned estimated suggested said says stated'.split(' '),
);
const WHEN_OR_WHERE = new Set('in on at'.split(' '));
