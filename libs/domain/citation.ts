/** A source that a provider returned. Fields that the provider did not give are null. */
export interface Citation {
  /** The number in the report's mark `[n]`, from 1. */
  index: number;
  url: string;
  title: string | null;
  /** The passage of the source that the provider quoted. */
  snippet: string | null;
  /** Span of the report that this source backs, in UTF-16 units of `reportMarkdown`; end is exclusive. */
  startIndex: number | null;
  endIndex: number | null;
  /** ISO 8601 date or time as the provider gave it. */
  publishedAt: string | null;
  /** Host of the URL; null if it has none (a local document). */
  domain: string | null;
}
