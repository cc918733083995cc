import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';

/** The claims of a job of two reports, each with a source of its own. */
export const claimsOf = (reports: readonly [string, string]): readonly RecordedClaim[] =>
  synthesize({ query: 'What is known?', mode: 'fast', tier: 'M', steps: reports.map(stepOf) }).claims;

export const stepIdOf = (position: number): string => `report-${String(position)}`;

function stepOf(reportMarkdown: string, position: number): SynthesisStep {
  const provider = PROVIDERS[position];
  if (!provider) throw new Error('There are more reports than providers');
  const domain = `source-of-report-${String(position)}.example`;
  const source = { index: 1, url: `https://${domain}/`, domain, title: null, snippet: null, publishedAt: null };
  const citations = [{ ...source, startIndex: null, endIndex: null }];
  const rest = { errorMessage: null, failure: null, truncated: false };
  return { stepId: stepIdOf(position), provider, status: 'completed', reportMarkdown, citations, ...rest };
}
