import type { Reading } from '@lib/language/reading/reading';
import { verbBehindSetOff } from '@lib/language/reading/set-off';

/** What a sentence speaks of, and where to say so; `subject` is null where it cannot be told. */
export interface Reference {
  subject: Reading | null;
  /** Put in place of the pronoun; null where the text says it itself. */
  insert: Reading | null;
  /** Place of the pronoun or of the first word of the subject, and of the word after it. */
  at: number;
  to: number;
  /** Where it begins and ends in the text. */
  start: number;
  end: number;
}

export const NO_REFERENCE: Reference = { subject: null, insert: null, at: 0, to: 0, start: 0, end: 0 };

/** What a sentence of a report speaks of, and how sure that is. */
export interface Referred {
  /** Null where its pronoun stands for something unknown. */
  reference: Reference | null;
  /** What it leaves open can be nothing but what the question asks about. */
  isOnTopic: boolean;
  /** It speaks of "the country" after others were named than the one that was said to be a country. */
  mayBeOther: boolean;
}

export const REFERS_TO_NOTHING: Referred = { reference: NO_REFERENCE, isOnTopic: false, mayBeOther: false };

/** "The lake", "the central section": a thing that was named before, if anywhere, unlike "the 7124SX". */
export function leavesOpenWhich({ subject }: Reference): boolean {
  if (subject?.tokens[0]?.word.text !== 'the') return false;
  return !subject.tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised) && !subject.tokens.at(-1)?.word.hasDigit;
}

/** They count what was not named before: "Two people were killed", "There was no increase". */
const COUNTING = new Set(
  'there no a an some several many most few all both two three four five six seven eight nine ten more other another'.split(' '),
);

/** Whether who knows the question and no other sentence cannot tell what this one speaks of: "The vote was 5-2", "Two people were killed". */
export function namesNothing(reading: Reading, reference: Reference): boolean {
  const { tokens } = reading;
  const isOpen = leavesOpenWhich(reference);
  if ((reference.insert && !isOpen) || tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised)) return false;
  return isOpen || (COUNTING.has(tokens[0]?.word.text ?? '') && reading.tense === 'past');
}

/** "The hotel" and no more, which may be any, unless the sentence tells by a name and a number which it is. */
export function isBare({ names, numbers }: Reading, { subject }: Reference): boolean {
  const [article, noun] = subject?.tokens ?? [];
  const isOfTwo = subject?.tokens.length === 2 && article?.word.text === 'the' && noun?.isCapitalised === false;
  return isOfTwo && (names.length === 0 || numbers.size === 0);
}

/** "The bug was fixed in 2.3.1", "The 7124SX". */
export const hasIdentifier = ({ tokens }: Reading): boolean => tokens.some(({ word }) => word.hasDigit && IDENTIFIER.test(word.text));
const IDENTIFIER = /^(?:\d+\.\d+\.\d|\p{L}+\d)/u;

/** The text, or the beginning of it, with its subject in place of a pronoun; empty where it ends before it has said anything of the subject. */
export function withSubject(text: string, { insert, start, end }: Reference): string {
  if (text.length <= end) return '';
  return insert === null ? text : `${text.slice(0, start)}[${insert.text}]${text.slice(end)}`;
}

/** Whether only what is set off stands between the subject and a part: "Ada, an army doctor, …". */
export const isBehindSetOff = (from: number, { tokens }: Reading, { at, to, insert }: Reference): boolean =>
  at === 0 && insert === null && from > to && verbBehindSetOff(tokens, to) === from;
