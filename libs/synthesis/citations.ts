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
 * What makes two sources one witness: the same site, or for local documents the same document wherever it is quoted. Behind a redirect the
 * citation's domain is another one than its URL's, and tells the site.
 */
export function witnessKey({ url, domain }: Citation): string {
  const parsed = URL.parse(url);
  if (parsed?.hostname && (domain === null || domain === parsed.hostname)) return siteOf(parsed);
  return domain?.toLowerCase().replace(/^www\./, '') ?? url.replace(/#.*$/, '');
}

/** Numbers the sources of all providers in the order in which a text names them, so that a number means one source throughout. */
export class SourceNumbering {
  private readonly sources = new Map<string, Omit<NumberedSource, 'number'>>();
  /** Keys in the order of their numbers, which count from 1. */
  private readonly numbers = new Map<string, number>();
  private readonly keysOfSteps = new Map<string, Map<number, string>>();

  /** Give the steps in a fixed order: of several titles for one source the first is taken. */
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

  /** The numbers of the sources behind some evidence, ascending, each once and at most so many. */
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

  /** The sources numbered so far, by number. */
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
