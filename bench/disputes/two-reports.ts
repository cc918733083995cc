import type { Citation } from '@lib/domain/citation';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { SynthesisInput, SynthesisStep } from '@lib/synthesis/synthesis';
import { findingsOf, synthesize } from '@lib/synthesis/synthesize';

type Reports = readonly string[];

/** The claims of a job of such reports, each with a source of its own. */
export const claimsOf = (reports: Reports): readonly RecordedClaim[] => synthesize(jobOf(reports)).claims;

/** The same before they are recorded, with where each stands in the report. */
export const findingsIn = (reports: Reports, query?: string): ReturnType<typeof findingsOf> => findingsOf(jobOf(reports, query));

/** @param sources how many each report has, marked in it from [1] on */
export const jobOf = (reports: Reports, query = 'What is known?', sources = 1): SynthesisInput => ({
  query,
  mode: 'fast',
  tier: sources === 1 ? 'M' : 'L',
  steps: reports.map((report, position) => stepOf(report, position, sources)),
});

export const stepIdOf = (position: number): string => `report-${String(position)}`;

function stepOf(reportMarkdown: string, position: number, sources: number): SynthesisStep {
  const provider = PROVIDERS[position];
  if (!provider) throw new Error('There are more reports than providers');
  const citations = Array.from({ length: sources }, (_, place): Citation => {
    const domain = `source${place === 0 ? '' : `-${String(place + 1)}`}-of-report-${String(position)}.example`;
    const source = { index: place + 1, url: `https://${domain}/`, domain, title: null, snippet: null, publishedAt: null };
    return { ...source, startIndex: null, endIndex: null };
  });
  const rest = { errorMessage: null, failure: null, truncated: false };
  return { stepId: stepIdOf(position), provider, status: 'completed', reportMarkdown, citations, ...rest };
}
