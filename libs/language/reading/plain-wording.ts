import type { Amount } from './amount';
import type { PartialDate } from './partial-date';
import { ABOUT_TOLERANCE } from './quantities';
import { ADVISING, CONTRACTIONS, JOINING, PHRASES_BY_FIRST, PLAIN_WORDS, SPELLINGS } from './plain-phrases';
import type { Reading } from './reading';
import { FORMS_OF_BE } from './forms-of-be';
import { FORMS_OF_HAVE } from './function-words';
import { isFiniteOrPast, textAt, type Token } from './token';
import { isMeasure } from './units';

/** "40 tons of flour a day": most words between a figure and the time that it is for. */
const MAX_WORDS_TO_RATE = 5;
const TIMES = new Set('second minute hour day night week month year'.split(' '));
const OFTEN = new Set('once twice times'.split(' '));
const BEFORE_NOUN = new Set('a an the this that any no his her their our your my'.split(' '));

/** Before these, "has to" means something else than "must". */
const LIMITING = new Set('not no nobody none neither never nothing few little hardly rarely seldom only all what which'.split(' '));

/**
 * A sentence in the plainest of the wordings that English has for it, so that two sentences with the same one say the same: figures by their value,
 * dates by the calendar and, if there is only one, at the end, contractions in full, British and American spelling alike.
 */
const plainWordingOf = (reading: Reading): string => (reading.plainWording ??= phrased(wordsOf(reading)).join(' '));

/** Whether two sentences differ only in how English writes the same. */
export const areWordedAlike = (one: Reading, other: Reading): boolean =>
  one.wording === other.wording || plainWordingOf(one) === plainWordingOf(other);

/** The plain words, with figures and dates by their value. */
function wordsOf(reading: Reading): string[] {
  const { tokens, amounts, dates } = reading;
  const words: string[] = [];
  let ofDate: string | undefined;
  const isOneClause = dates.length === 1 && !tokens.some(({ word }) => JOINS_CLAUSES.has(word.text)) && tokens.filter(isVerbAt).length < 2;
  for (let at = 0; at < tokens.length; at += 1) {
    const [date, amount] = [dates.find(({ from }) => from === at), amounts.find(({ from }) => from === at)];
    if (date) {
      if (isOneClause && words.length === 1 && isPreposition(words[0])) ofDate = `${words.pop() ?? ''} ${writtenDate(date)}`;
      else words.push(writtenDate(date));
      at = Math.max(at, date.to - 1);
    } else if (amount) {
      words.push(writtenAmount(amount, reading));
      at = Math.max(at, amount.to - 1);
    } else words.push(...plainWords(tokens, at));
  }
  return ofDate === undefined ? words : [...words, ofDate];
}

/** With another verb, the date may belong to either: "In 2019 Ada said the bank failed". */
const isVerbAt = (token: Token, at: number, tokens: readonly Token[]): boolean =>
  isFiniteOrPast(token) && !FORMS_OF_BE.has(textAt(tokens, at - 1)) && !FORMS_OF_HAVE.has(textAt(tokens, at - 1));
const JOINS_CLAUSES = new Set('that which who and but when while because to how why whether if as where'.split(' '));
const isPreposition = (word: string | undefined): boolean => word === 'in' || word === 'on';

const writtenDate = ({ year, month, day, isApproximate, years }: PartialDate): string =>
  `@${[year, month, day, years].join('-')}${isApproximate ? '~' : ''}`;

/** What is counted follows as a word; a unit of measure belongs to the figure, and so do "more than", "at least" and "nearly". */
function writtenAmount({ low, high, tolerance, unit, from, to }: Amount, { text, tokens }: Reading): string {
  const words = tokens.slice(from, to);
  const number = words.findIndex(({ word }) => word.isAmount || word.hasDigit);
  const comparator = words
    .slice(0, Math.max(number, 0))
    .map(({ word }) => word.text)
    .join(' ');
  const written = text.slice(Math.max(0, (words[0]?.start ?? 0) - MAX_SIGN), words.at(-1)?.end);
  // Of a version or a section, 3.10 is not 3.1.
  const isName = !isMeasure(unit) && /\d\.\d/.test(written);
  const value = isName ? (written.match(/\d[\d.]*/g) ?? []).join('-') : `${String(low)}:${String(high)}`;
  const kind = STRICT.has(comparator) ? '!' : NEARLY.has(comparator) ? '<~' : tolerance >= ABOUT_TOLERANCE * Math.abs(high) ? '~' : '';
  return `#${value}${kind}${isMeasure(unit) ? unit : ''}${OTHER_DOLLAR.exec(written)?.[0] ?? ''}`;
}
const STRICT = new Set(
  'more than;greater than;older than;over;above;upwards of;exceed;exceeds;exceeded;exceeding;less than;fewer than;under;below'.split(';'),
);
const NEARLY = new Set(['nearly', 'almost', 'close to']);
/** The dollars of another country: "A$50". */
const OTHER_DOLLAR = /\b(?!US)[A-Z]{1,2}\$/;
/** Most characters of a sign before a figure. */
const MAX_SIGN = 3;

function plainWords(tokens: readonly Token[], at: number): string[] {
  const token = tokens[at];
  if (!token || JOINING.has(token.word.text)) return [];
  const { text } = token.word;
  if (text === 'us') return [token.isCapitalised ? 'usa' : text];
  // An instruction: "Never mix them" is "Do not mix them".
  if (text === 'never' && at === 0) return ['do', 'not'];
  if (text === 'a' && isRateAt(tokens, at)) return ['per'];
  const full = CONTRACTIONS.get(text) ?? (text.endsWith("n't") ? `${text.slice(0, -3)} not` : text);
  // A name is written as it is: "Tyre".
  return at > 0 && token.isCapitalised ? [full] : full.split(' ').map(spelled);
}

const spelled = (word: string): string => {
  const american = SPELLINGS.reduce((written, [pattern, by]) => written.replace(pattern, by), word);
  return PLAIN_WORDS.get(american) ?? american;
};

/** Whether "a day" means "each day": behind a figure, and not "two hours and a day". */
function isRateAt(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (!before || !TIMES.has(textAt(tokens, at + 1))) return false;
  if (OFTEN.has(before.word.text)) return true;
  return (
    (!before.word.isStopWord || before.word.isAmount) &&
    tokens.slice(Math.max(0, at - MAX_WORDS_TO_RATE), at).some(({ word }) => word.isAmount)
  );
}

/** The words with each phrase by its plainest form. */
function phrased(words: readonly string[]): string[] {
  const plain: string[] = [];
  const advice = ADVISING.find((phrase) => phrase.split(' ').every((word, at) => words[at] === word));
  for (let at = advice ? advice.split(' ').length : 0; at < words.length;) {
    const found = phraseAt(words, at, plain.at(-1));
    if (found) {
      plain.push(...found.words);
      at += found.length;
    } else {
      plain.push(words[at] ?? '');
      at += 1;
    }
  }
  return plain;
}

function phraseAt(words: readonly string[], at: number, before: string | undefined): { words: string[]; length: number } | null {
  const mayBeDuty = !words.slice(0, at).some((word) => LIMITING.has(word));
  for (const { from, to } of PHRASES_BY_FIRST.get(keyOf(words[at])) ?? []) {
    if (!from.every((part, place) => matches(part, words[at + place]))) continue;
    // "Does not have to", "nobody has to" and "the need to" are no duties.
    if (to[0] === 'must' && (!mayBeDuty || BEFORE_NOUN.has(before ?? ''))) continue;
    // "The tax is due to the state."
    if (to[0] === 'because' && FORMS_OF_BE.has(before ?? '')) continue;
    const figure = words.slice(at, at + from.length).find((word) => word.startsWith('#')) ?? '';
    return { words: to.map((word) => (word === '#' ? figure : word)), length: from.length };
  }
  return null;
}

const keyOf = (word = ''): string => (word.startsWith('#') ? '#' : word === 'an' ? '~' : word === 'a' ? '~' : word);
const matches = (part: string, word: string | undefined): boolean => word !== undefined && (part === word || part === keyOf(word));
