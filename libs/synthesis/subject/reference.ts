import { textAt } from '@lib/language/reading/token';
import type { Reading } from '@lib/language/reading/reading';
import { verbBehindSetOff } from '@lib/language/reading/set-off';
import { isParticipleForm } from '@lib/language/reading/verb-forms';

/** The subject of a sentence, and where to insert it; `subject` is null if it is unknown. */
export interface Reference {
  subject: Reading | null;
  /** Inserted in place of the pronoun; null if the text names the subject itself. */
  insert: Reading | null;
  /** Index of the pronoun or of the subject's first word, and of the word after it. */
  at: number;
  to: number;
  /** Its range in the text. */
  start: number;
  end: number;
}

export const NO_REFERENCE: Reference = { subject: null, insert: null, at: 0, to: 0, start: 0, end: 0 };

/** The subject of a sentence, and how certain it is. */
export interface Referred {
  /** Null if its pronoun has no known referent. */
  reference: Reference | null;
  /** If its subject is unclear, it can only be the topic of the question. */
  isOnTopic: boolean;
  /** It is about "the country" after others were named than the one said to be a country. */
  mayBeOther: boolean;
}

export const REFERS_TO_NOTHING: Referred = { reference: NO_REFERENCE, isOnTopic: false, mayBeOther: false };

/** Whether the subject refers to something named before, if anywhere: "The lake", "the central section", unlike "the 7124SX". */
export function leavesOpenWhich({ subject }: Reference): boolean {
  if (subject?.tokens[0]?.word.text !== 'the') return false;
  return !subject.tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised) && !subject.tokens.at(-1)?.word.hasDigit;
}

/** Words that count something not named before: "Two people were killed", "There was no increase". */
const COUNTING = new Set(
  'there no a an some several many most few all both two three four five six seven eight nine ten more other another'.split(' '),
);

/** Whether a reader who only knows the question cannot tell what the sentence is about: "The vote was 5-2", "Two people were killed". */
export function namesNothing(reading: Reading, reference: Reference): boolean {
  const { tokens } = reading;
  const isOpen = leavesOpenWhich(reference);
  if ((reference.insert && !isOpen) || tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised)) return false;
  return isOpen || (COUNTING.has(textAt(tokens, 0)) && reading.tense === 'past');
}

/** Whether the subject is only "the" and a noun, such as "The hotel", and the sentence lacks a name or a number to identify it. */
export function isBare({ names, numbers }: Reading, { subject }: Reference): boolean {
  const [article, noun] = subject?.tokens ?? [];
  const isOfTwo = subject?.tokens.length === 2 && article?.word.text === 'the' && noun?.isCapitalised === false;
  return isOfTwo && (names.length === 0 || numbers.size === 0);
}

/** Whether there is an identifier: "The bug was fixed in 2.3.1", "The 7124SX". */
export const hasIdentifier = ({ tokens }: Reading): boolean => tokens.some(({ word }) => word.hasDigit && IDENTIFIER.test(word.text));
const IDENTIFIER = /^(?:\d+\.\d+\.\d|\p{L}+\d)/u;

/** The text or its beginning, with the subject in place of a pronoun; empty if it ends before saying anything about the subject. */
export function withSubject(text: string, { insert, start, end }: Reference): string {
  if (text.length <= end) return '';
  if (insert === null) return text;
  const behind = text.slice(end);
  const pronoun = text.slice(start, end);
  const verb = !CONTRACTED.test(pronoun) ? '' : OF_HAVE.test(behind) || (OF_PERSON.test(pronoun) && hasDone(behind)) ? ' has' : ' is';
  return `${text.slice(0, start)}[${insert.text}]${verb}${behind}`;
}
/** "It's safe" and "it's been closed": the verb is a part of the pronoun's word. */
const CONTRACTED = /^(?:it|he|she|that|this)['’]s$/i;
const OF_HAVE = /^ (?:(?:also|always|never|now|since|\w+ly) )?(?:been|had|got)\b/;
const OF_PERSON = /^s?he/i;
/** Whether a past form with its object comes next: "’s missed around 30", but not "’s paid 300 euros" and "’s seen 30 times a year". */
function hasDone(behind: string): boolean {
  const [, verb = ''] = WITH_OBJECT.exec(behind) ?? [];
  return isParticipleForm(verb) && !IS_GIVEN.has(verb);
}
const WITH_OBJECT =
  /^ (?:(?:also|always|never|now|since|already|only|\w+ly) )?(\w+) (?:(?:around|about|nearly|almost|over|at least|more than|some) )?(?:the|an?|his|her|many|several|both|two|three|four|five|six|seven|eight|nine|ten|\d[\d,.]*)(?![\w%]| (?:times|years?|km|miles?|met(?:re|er)s?|minutes?|hours?|days?|weeks?|months?)\b)/;
/** Verbs whose passive has an object or a complement too. */
const IS_GIVEN = new Set(
  'paid given awarded owed charged told fined named called considered sent offered granted shown asked promised elected appointed sentenced dubbed valued rated placed allowed'.split(
    ' ',
  ),
);

/** Whether only an insertion stands between the subject and a part: "Ada, an army doctor, …". */
export const isBehindSetOff = (from: number, { tokens }: Reading, { at, to, insert }: Reference): boolean =>
  at === 0 && insert === null && from > to && verbBehindSetOff(tokens, to) === from;
