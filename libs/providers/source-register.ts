import { sourceKey } from '@lib/language/source-key';

import { citableUrl, isLocalDocument, MAX_URL_LENGTH } from '@lib/domain/checked-report';

export interface GivenSource {
  url: string;
  title?: string | null;
  /** The passage of the source that the provider quoted. */
  snippet?: string | null;
  publishedAt?: string | null;
}

export interface Source extends GivenSource {
  /** The number of its mark; 0 until the text refers to it. */
  index: number;
}

/** The sources of one report, without duplicates, even if their URLs are spelled differently. */
export class SourceRegister {
  private readonly sources = new Map<string, Source>();
  private named = 0;

  /** @param documents whether local documents may be among the sources: only adapters that have read them may cite them */
  constructor(private readonly documents: boolean) {}

  /** Adds a source, or completes an equal one. Undefined if its URL cannot be shown as a link, or is a local document where none are allowed. */
  add({ url, title, snippet, publishedAt }: GivenSource): Source | undefined {
    const target = targetOf(url);
    const citable = citableUrl(target);
    if (!citable || (isLocalDocument(citable) && !this.documents)) return undefined;
    const key = sourceKey(target);
    const source = this.sources.get(key) ?? { url: target, index: 0 };
    source.title ||= title;
    source.snippet ||= snippet;
    source.publishedAt ||= publishedAt;
    this.sources.set(key, source);
    return source;
  }

  find(url: string): Source | undefined {
    const target = targetOf(url);
    // Nothing longer is among the sources, so a key of it would be made for nothing.
    return target.length > MAX_URL_LENGTH ? undefined : this.sources.get(sourceKey(target));
  }

  /** The mark of a source; gives the source its number at the first call. */
  mark(source: Source): string {
    if (source.index === 0) source.index = ++this.named;
    return `[${source.index}]`;
  }

  /** Sorted by number; sources without a number come last. */
  all(): Source[] {
    return [...this.sources.values()].sort((a, b) => (a.index || Infinity) - (b.index || Infinity) || 0);
  }
}

/** The target of a redirect that is contained in its URL. Other URLs stay, since URLs from providers are never fetched. */
function targetOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.pathname !== '/url' || !/^(?:www\.)?google\.[a-z.]+$/.test(parsed.hostname)) return url;
  return parsed.searchParams.get('q') ?? parsed.searchParams.get('url') ?? url;
}
