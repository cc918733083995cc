import { markOf } from '../formats/lists';

/** A stretch of a document that can be quoted and understood as it stands. */
export interface Unit {
  kind: 'prose' | 'item' | 'list' | 'row' | 'code';
  /** In Markdown, each in one line; for code, the sentence that leads to it, if there is one. */
  sentences: string[];
  /** The lines of code, and the language that its fence names. */
  code?: { language: string; text: string };
  /** Its text without markup. */
  text: string;
  /** The text that gives it its context: the sentence before a list or code, the item above, the header of a table. */
  above: string;
  /**
   * The lines that it is never quoted without, in Markdown, outermost first: the lead-in of its list and the items that it is nested under, or the
   * header of its table. Without these it might say the opposite: "Passengers must not:".
   */
  introduction: readonly string[];
  /** The line in which the introduction begins, if it is near. */
  introducedFrom?: number;
  /** Set if it merges several paragraphs and items of a section. */
  isWhole?: true;
  /** An item of a numbered list, so one step of a sequence. */
  isStep?: true;
  /** The number of that item, if this is its beginning. */
  step?: number;
  /** For an item, the line in which its list begins. */
  list?: number;
  /** Lines of the document, both inclusive, from 1. */
  startLine: number;
  endLine: number;
  /** Page number, for a document with pages. */
  page?: number;
}

/** A citation includes the lines of the unit's introduction up to this distance. */
export const NEAR_LINES = 30;

export type Place = Pick<Unit, 'startLine' | 'endLine' | 'introducedFrom' | 'page'>;

/** Kinds that get a bullet after their introduction; a list has bullets of its own. */
const MARKED: ReadonlySet<Unit['kind']> = new Set(['item', 'row']);

/** The quotation of a unit, each line in Markdown: its introduction, then its sentences. */
export function quotedLines({ kind, introduction, sentences, step }: Unit): readonly string[] {
  const [first, ...others] = sentences;
  const isBare = introduction.length === 0 && step === undefined;
  if (isBare || !MARKED.has(kind) || first === undefined) return [...introduction, ...sentences];
  return [...introduction, `${markOf(step)} ${first}`, ...others];
}

export const areIntroducedAlike = (one: Unit, other: Unit): boolean => one.introduction.join('\n') === other.introduction.join('\n');
