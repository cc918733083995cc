import type { RecordedEvidence } from '@lib/domain/job/recorded-report';
import type { Citation } from '@lib/domain/citation';
import type { ProviderId } from '@lib/domain/vocabulary';
import { siteOf, sourceKey } from '@lib/language/source-key';
import type { SynthesisStep } from './synthesis';

/** A source as the report lists it, under one number for all providers. */
export interface NumberedSource {
  number: number;
  url: string;
  title: string | null;
  providers: ProviderId[];
}

/**
 * The key of the witness that a source counts as: its site or, for a local document, the document, whichever part is quoted. For a redirect the
 * citation's domain differs from the URL's and names the actual site.
 */
export function witnessKey({ url, domain }: Citation): string {
  const parsed = URL.parse(url);
  if (parsed?.hostname && (domain === null || domain === parsed.hostname)) return siteOf(parsed);
  return domain?.toLowerCase().replace(/^www\./, '') ?? url.replace(/#.*$/, '');
}

/** Numbers the sources of all providers in the order in which the text mentions them, so that a number means the same source throughout. */
export class SourceNumbering {
  private readonly sources = new Map<string, Omit<NumberedSource, 'number'>>();
  /** Keys in the order of their numbers, which count from 1. */
  private readonly numbers = new Map<string, number>();
  private readonly keysOfSteps = new Map<string, Map<number, string>>();

  /** Pass the steps in a fixed order: if a source has several titles, the first one is used. */
  constructor(steps: readonly Pick<SynthesisStep, 'stepId' | 'provider' | 'citations'>[]) {
    for (const { stepId, provider, citations } of steps) {
      const keys = new Map<number, string>();
      for (const citation of citations) {
        const key = sourceKey(citation.url);
        keys.set(citation.index, key);
        this.add(key, provider, citation);
      }
      this.keysOfSteps.set(stepId, keys);
    }
  }

  /** The numbers of the sources behind some evidence, ascending and distinct, at most `most` of them. */
  numbersOf(evidence: readonly Pick<RecordedEvidence, 'stepId' | 'citationIndexes'>[], most: number): number[] {
    const numbers: number[] = [];
    for (const { stepId, citationIndexes } of evidence) {
      const keys = this.keysOfSteps.get(stepId);
      for (const index of citationIndexes) {
        const key = numbers.length < most ? keys?.get(index) : undefined;
        const number = key === undefined ? undefined : this.numberOf(key);
        if (number !== undefined && !numbers.includes(number)) numbers.push(number);
      }
    }
    return numbers.sort((a, b) => a - b);
  }

  /** The sources that have a number so far, in order. */
  numbered(): NumberedSource[] {
    return [...this.numbers].flatMap(([key, number]) => {
      const source = this.sources.get(key);
      return source ? [{ number, ...source }] : [];
    });
  }

  /** How many sources the providers returned, numbered or not. */
  get size(): number {
    return this.sources.size;
  }

  private numberOf(key: string): number {
    const number = this.numbers.get(key) ?? this.numbers.size + 1;
    this.numbers.set(key, number);
    return number;
  }

  private add(key: string, provider: ProviderId, { url, title }: Citation): void {
    const source = this.sources.get(key) ?? { url, title, providers: [] };
    source.title ??= title;
    if (!source.providers.includes(provider)) source.providers.push(provider);
    this.sources.set(key, source);
  }
}
