/** A source that a provider returned. Every field is present; what the provider did not say is null. */
export interface Citation {
  /** The number that the report's mark `[n]` carries; counts from 1. */
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
  /** Host of the URL; null where the URL has none (a local document). */
  domain: string | null;
}
