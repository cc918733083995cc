import type { Chunk } from './passages';

const MARK = String.raw`(?:Q|Question|Frage|Pregunta)\s?\d{0,3}\s?[:.)]`;
/** A line of Markdown that is a question in bold, or is marked as a question ("Q:"). */
const ASKED_LINE = new RegExp(
  String.raw`^\s*(?:(\*\*|__)(?:${MARK})?\s*[^*_\s].{2,200}\?\s*\1|(?:\*\*|__)?${MARK}(?:\*\*|__)?\s*\S.{2,200}\?\s*(?:\*\*|__)?)\s*\\?$`,
  'i',
);
const MARKED = new RegExp(String.raw`^\s*${MARK}\s*`, 'i');
const IS_MARKED = new RegExp(String.raw`^\s*${MARK}\s*\S.{2,200}?\?(?=\s|$)`, 'i');

/** Whether a text begins with the mark of a question: "Q: May I return a lamp?" */
export const beginsMarked = (text: string): boolean => MARKED.test(text);

/** A question that stands above its answer like a heading. */
export interface AskedHeading {
  title: string;
  /** Nothing follows the question in its paragraph. */
  isAll: boolean;
}

/**
 * The question that a paragraph begins with, for lists of questions and answers without headings.
 * @param line the first line of the paragraph, in Markdown
 * @param text the whole paragraph, without markup
 */
export function askedHeadingOf(line: string, text: string): AskedHeading | undefined {
  return ASKED_LINE.test(line) ? headingIn(text) : undefined;
}

function headingIn(text: string): AskedHeading | undefined {
  const end = text.search(/\?(?=\s|$)/) + 1;
  if (end === 0) return undefined;
  return { title: text.slice(0, end).replace(MARKED, '').replace(/\s+/g, ' ').trim(), isAll: text.slice(end).trim() === '' };
}

/** For formats other than Markdown: puts each chunk under the marked question before it, as under a heading. */
export function underQuestions(chunks: readonly Chunk[]): Chunk[] {
  let [above, headings]: [readonly string[] | undefined, readonly string[]] = [undefined, []];
  return chunks.flatMap((chunk): Chunk[] => {
    if (chunk.headings !== above) [above, headings] = [chunk.headings, chunk.headings];
    const asked = IS_MARKED.test(chunk.text) ? headingIn(chunk.text) : undefined;
    if (asked) headings = [...chunk.headings, asked.title];
    return asked?.isAll ? [] : [{ ...chunk, headings }];
  });
}
