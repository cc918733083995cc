import { sourceKey } from '@lib/language/source-key';

import { citableUrl } from './checked-report';

/** A source as a provider gave it. */
export interface GivenSource {
  url: string;
  title?: string | null;
  /** The passage of the source that the provider quoted. */
  snippet?: string | null;
  publishedAt?: string | null;
}

export interface Source extends GivenSource {
  /** The number of its mark; 0 until the text names it. */
  index: number;
}

/** The sources of one report, each once however often and under whatever spelling of its URL the provider gave it. */
export class SourceRegister {
  private readonly sources = new Map<string, Source>();
  private named = 0;

  /** Adds what was given, or what an earlier one of the same source lacks; undefined for a URL that cannot be shown as a link. */
  add({ url, title, snippet, publishedAt }: GivenSource): Source | undefined {
    const target = targetOf(url);
    if (!citableUrl(target)) return undefined;
    const key = sourceKey(target);
    const source = this.sources.get(key) ?? { url: target, index: 0 };
    source.title ||= title;
    source.snippet ||= snippet;
    source.publishedAt ||= publishedAt;
    this.sources.set(key, source);
    return source;
  }

  find(url: string): Source | undefined {
    return this.sources.get(sourceKey(targetOf(url)));
  }

  /** The mark of a source, which numbers it if the text did not name it before. */
  mark(source: Source): string {
    if (source.index === 0) source.index = ++this.named;
    return `[${source.index}]`;
  }

  /** In the order of their numbers, those without one last. */
  all(): Source[] {
    return [...this.sources.values()].sort((a, b) => (a.index || Infinity) - (b.index || Infinity) || 0);
  }
}

/** Behind a redirect that carries its target in the open. Others stay as they are: nothing that a provider names is ever fetched. */
function targetOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed?.pathname !== '/url' || !/^(?:www\.)?google\.[a-z.]+$/.test(parsed.hostname)) return url;
  return parsed.searchParams.get('q') ?? parsed.searchParams.get('url') ?? url;
}
