/** A stretch of a document that can be quoted and understood as it stands. */
export interface Unit {
  kind: 'prose' | 'item' | 'list' | 'row' | 'code';
  /** In Markdown, each in one line; of code the sentence that leads to it, if there is one. */
  sentences: string[];
  /** The lines of code with the language that its fence names. */
  code?: { language: string; text: string };
  /** What it says, without markup. */
  text: string;
  /** What it hangs on: the sentence before a list or code, the item above, the header of a table. */
  above: string;
  /**
   * What it is never quoted without, in Markdown, outermost first: what leads to its list, and the items that it stands under, or the header of
   * its table. Without these it might say the opposite: "Passengers must not:".
   */
  introduction: readonly string[];
  /** The line in which that begins, where it stands near. */
  introducedFrom?: number;
  /** A paragraph or several with the list behind them. */
  isWhole?: true;
  /** An item of a numbered list: what is done one after the other. */
  isStep?: true;
  /** Of an item the line that its list begins in. */
  list?: number;
  /** Lines of the document, both inclusive, from 1. */
  startLine: number;
  endLine: number;
  /** Page number, for a document with pages. */
  page?: number;
}

/** A citation names also the lines of what introduces it, up to this distance. */
export const NEAR_LINES = 30;

export type Place = Pick<Unit, 'startLine' | 'endLine' | 'introducedFrom' | 'page'>;

/** Behind what introduces them these begin with a mark; a list has its own. */
const MARKED: ReadonlySet<Unit['kind']> = new Set(['item', 'row']);

/** What a unit is quoted as, each in one line of Markdown: its sentences behind what introduces them. */
export function quotedLines({ kind, introduction, sentences }: Pick<Unit, 'kind' | 'introduction' | 'sentences'>): readonly string[] {
  const [first, ...others] = sentences;
  if (introduction.length === 0 || !MARKED.has(kind) || first === undefined) return [...introduction, ...sentences];
  return [...introduction, `• ${first}`, ...others];
}

export const areIntroducedAlike = (one: Unit, other: Unit): boolean => one.introduction.join('\n') === other.introduction.join('\n');
