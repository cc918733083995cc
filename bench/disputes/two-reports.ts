import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { SynthesisInput, SynthesisStep } from '@lib/synthesis/synthesis';
import { findingsOf, synthesize } from '@lib/synthesis/synthesize';

type TwoReports = readonly [string, string];

/** The claims of a job of two reports, each with a source of its own. */
export const claimsOf = (reports: TwoReports): readonly RecordedClaim[] => synthesize(jobOf(reports)).claims;

/** The same before they are recorded, with where each stands in the report. */
export const findingsIn = (reports: TwoReports): ReturnType<typeof findingsOf> => findingsOf(jobOf(reports));

export const jobOf = (reports: TwoReports): SynthesisInput => ({
  query: 'What is known?',
  mode: 'fast',
  tier: 'M',
  steps: reports.map(stepOf),
});

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
