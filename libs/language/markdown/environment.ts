import type MarkdownIt from 'markdown-it';

/** What the parser learns of one document. Lines are counted from 0, offsets in UTF-16 units. */
export interface Environment extends MarkdownIt.Env {
  /** By line, the offset of the first character of the innermost block that begins there. */
  readonly starts: number[];
  /** By line, the offset of its end. */
  lineEnds: readonly number[];
  /** The labels of the footnotes that are defined, in lower case. */
  readonly footnotes: Set<string>;
  /** In the text that is being read, the offset from which on delimiters are text. */
  limit: number;
}

export function newEnvironment(): Environment {
  return { starts: [], lineEnds: [], footnotes: new Set(), limit: Infinity };
}
