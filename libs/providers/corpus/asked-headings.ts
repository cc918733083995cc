import type { Chunk } from './passages';

const MARK = String.raw`(?:Q|Question|Frage|Pregunta)\s?\d{0,3}\s?[:.)]`;
/** A line of Markdown that is a question in bold, or marked as one. */
const ASKED_LINE = new RegExp(
  String.raw`^\s*(?:(\*\*|__)(?:${MARK})?\s*[^*_\s].{2,200}\?\s*\1|(?:\*\*|__)?${MARK}(?:\*\*|__)?\s*\S.{2,200}\?\s*(?:\*\*|__)?)\s*\\?$`,
  'i',
);
const MARKED = new RegExp(String.raw`^\s*${MARK}\s*`, 'i');
const IS_MARKED = new RegExp(String.raw`^\s*${MARK}\s*\S.{2,200}?\?(?=\s|$)`, 'i');

/** The question that stands over its answer as a heading does. */
export interface AskedHeading {
  title: string;
  /** Nothing follows it in its paragraph. */
  isAll: boolean;
}

/**
 * The question that a paragraph begins with, in a list of questions and answers without headings.
 * @param line that the paragraph begins in, in Markdown
 * @param text of all of it, without markup
 */
export function askedHeadingOf(line: string, text: string): AskedHeading | undefined {
  return ASKED_LINE.test(line) ? headingIn(text) : undefined;
}

function headingIn(text: string): AskedHeading | undefined {
  const end = text.search(/\?(?=\s|$)/) + 1;
  if (end === 0) return undefined;
  return { title: text.slice(0, end).replace(MARKED, '').replace(/\s+/g, ' ').trim(), isAll: text.slice(end).trim() === '' };
}

/** What is no Markdown, each part below the question that is marked as one before it. */
export function underQuestions(chunks: readonly Chunk[]): Chunk[] {
  let [above, headings]: [readonly string[] | undefined, readonly string[]] = [undefined, []];
  return chunks.flatMap((chunk): Chunk[] => {
    if (chunk.headings !== above) [above, headings] = [chunk.headings, chunk.headings];
    const asked = IS_MARKED.test(chunk.text) ? headingIn(chunk.text) : undefined;
    if (asked) headings = [...chunk.headings, asked.title];
    return asked?.isAll ? [] : [{ ...chunk, headings }];
  });
}
