import type MarkdownIt from 'markdown-it';

/** What the parser records about a document. Lines are counted from 0, offsets in UTF-16 units. */
export interface Environment extends MarkdownIt.Env {
  /** For each line, the offset of the first character of the innermost block that begins there. */
  readonly starts: number[];
  /** For each line, the offset of its end. */
  lineEnds: readonly number[];
  /** The labels of the footnotes that are defined, in lower case. */
  readonly footnotes: Set<string>;
  /** In the text being read, the offset from which on delimiters count as plain text. */
  limit: number;
}

export function newEnvironment(): Environment {
  return { starts: [], lineEnds: [], footnotes: new Set(), limit: Infinity };
}
