import type { Citation } from '@lib/domain/citation';
import type { ProviderId } from '@lib/domain/vocabulary';
import { synthesize } from '@lib/synthesis/synthesize';
import type { Synthesis, SynthesisStep } from '@lib/synthesis/synthesis';

export function citation(index: number, url: string, more: Partial<Citation> = {}): Citation {
  return {
    index,
    url,
    title: null,
    snippet: null,
    startIndex: null,
    endIndex: null,
    publishedAt: null,
    domain: URL.parse(url)?.hostname || null,
    ...more,
  };
}

/** A completed step; the n-th URL is what the mark `[n]` of the report means. */
export function reported(provider: ProviderId, reportMarkdown: string, urls: readonly string[], stepId = `stp_${provider}`): SynthesisStep {
  const citations = urls.map((url, position) => citation(position + 1, url));
  return { stepId, provider, status: 'completed', reportMarkdown, citations, errorMessage: null, failure: null, truncated: false };
}

export function failed(provider: ProviderId, errorMessage: string, status: 'failed' | 'skipped' = 'failed'): SynthesisStep {
  const failure = status === 'failed' ? 'unavailable' : 'budget';
  return { stepId: `stp_${provider}`, provider, status, reportMarkdown: '', citations: [], errorMessage, failure, truncated: false };
}

export function synthesisOf(...steps: SynthesisStep[]): Synthesis {
  return synthesize({ query: 'How does Fastify handle errors?', mode: 'fast', tier: 'S', steps });
}

/** The numbers of all marks `[n]` of a report, and of its list of sources alone. */
export function marksOf(markdown: string): { used: number[]; listed: number[] } {
  const [body = '', sources = ''] = markdown.split('\n## Sources\n');
  const numbers = (text: string, pattern: RegExp): number[] => [...text.matchAll(pattern)].map(([, number]) => Number(number));
  return { used: numbers(body, /\[(\d+)\]/g), listed: numbers(sources, /^- \[(\d+)\]/gm) };
}

/** What stands under a heading of the second level, without the heading; empty if there is none. */
export function sectionOf(markdown: string, heading: string): string {
  const [, rest = ''] = `\n${markdown}`.split(`\n## ${heading}\n`);
  return (rest.split(/\n## /)[0] ?? '').trim();
}

/** Throws unless every quote is an exact slice of its step's report and names citations of that step. */
export function expectVerbatim({ claims }: Synthesis, steps: readonly SynthesisStep[]): void {
  for (const evidence of claims.flatMap(({ supporting, contradicting }) => [...supporting, ...contradicting])) {
    const step = steps.find(({ stepId }) => stepId === evidence.stepId);
    expect(step?.provider).toBe(evidence.provider);
    expect(step?.reportMarkdown.slice(evidence.start, evidence.end)).toBe(evidence.quote);
    const known = step?.citations.map(({ index }) => index);
    for (const index of evidence.citationIndexes) expect(known).toContain(index);
  }
}

/** It stands behind the sentence before it, in brackets, since nobody knows what its pronoun stands for. */
export const standsBehind = (claim: string): boolean => /^\[[^\]]*[.!?…]["”’)]?\] /.test(claim);

/** The claims of one report that can be understood alone, in the order of its sentences. */
export function claimsOf(sentences: string, query = 'What is known?'): string[] {
  const report = sentences.replace(/(?<=[a-z0-9])\.(?= [A-Z]|$)/g, ' [1].');
  const { claims } = synthesize({ query, mode: 'fast', tier: 'L', steps: [reported('provider-a', report, ['https://a.example/1'])] });
  return claims
    .toSorted((one, other) => (one.supporting[0]?.start ?? 0) - (other.supporting[0]?.start ?? 0))
    .map(({ claim }) => claim)
    .filter((claim) => !standsBehind(claim));
}
