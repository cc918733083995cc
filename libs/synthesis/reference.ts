import type { Reading } from '@lib/language/reading/reading';

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

/** "The lake", "the central section": a thing that was named before, if anywhere. */
export function leavesOpenWhich({ subject, insert }: Reference): boolean {
  if (!subject || insert || subject.tokens[0]?.word.text !== 'the') return false;
  return !subject.tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised);
}

/** They count what was not named before: "Two people were killed", "There was no increase". */
const COUNTING = new Set(
  'there no a an some several many most few all both two three four five six seven eight nine ten more other another'.split(' '),
);

/**
 * Whether who knows the question and no other sentence cannot tell what this one speaks of: "The vote was 5-2", "Two people were killed".
 * @param question stems of its words
 */
export function namesNothing({ tokens, tense }: Reading, reference: Reference, question: ReadonlySet<string>): boolean {
  if (reference.insert || tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised)) return false;
  if (tokens.some(({ word }) => question.has(word.stem))) return false;
  return leavesOpenWhich(reference) || (tense === 'past' && COUNTING.has(tokens[0]?.word.text ?? ''));
}

/** The text, or the beginning of it, with its subject in place of a pronoun; empty where it ends before it has said anything of the subject. */
export function withSubject(text: string, { insert, start, end }: Reference): string {
  if (text.length <= end) return '';
  return insert === null ? text : `${text.slice(0, start)}[${insert.text}]${text.slice(end)}`;
}
