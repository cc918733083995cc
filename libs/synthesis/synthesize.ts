import type { RecordedEvidence } from '@lib/domain/job-events';
import { stems } from '@lib/text/tokens';
import { byText, claimTable, type Claim } from './claim-table';
import { SourceNumbering } from './citations';
import { statementsOf, type Statement } from './claims';
import { writeReport, type ReportedStep } from './report';
import type { Synthesis, SynthesisInput } from './synthesis';

/** Changes with every change of the bytes that the same steps give. */
export const SYNTHESIZER_VERSION = 'deterministic-1';

/** A claim under the id that it has in this job. */
export interface IdentifiedClaim extends Claim {
  id: string;
}

/** What the reports of a job say, compared, before anything is written about it. */
export interface Findings {
  claims: readonly IdentifiedClaim[];
  steps: readonly ReportedStep[];
  /** They get their numbers as they are named: whatever stands first in the report has to ask first. */
  sources: SourceNumbering;
}

/** What stands before the report, and who wrote it. */
export interface Lead {
  synthesizer: string;
  lines: readonly string[];
}

/**
 * What the reports of a job agree on, dispute and say alone. Pure and deterministic: the same steps in any order give the same bytes.
 * It reads recorded steps alone, so it can be run again on any job at any time.
 */
export function synthesize(input: SynthesisInput): Synthesis {
  return synthesisOf(findingsOf(input), { synthesizer: SYNTHESIZER_VERSION, lines: [] });
}

export function findingsOf({ query, steps }: SynthesisInput): Findings {
  const read = steps
    .toSorted((a, b) => byText(a.provider, b.provider) || byText(a.stepId, b.stepId))
    .map((step) => ({ step, statements: statementsOf(step) }));
  const claims = claimTable(
    read.flatMap(({ statements }) => statements),
    new Set(stems(query)),
  );
  return {
    claims: claims.map((claim, position) => ({ ...claim, id: `clm_${String(position + 1).padStart(2, '0')}` })),
    steps: read.map(({ step, statements }) => ({ ...step, statementCount: statements.length })),
    sources: new SourceNumbering(read.map(({ step }) => step).filter(({ status }) => status === 'completed')),
  };
}

export function synthesisOf({ claims, steps, sources }: Findings, { synthesizer, lines }: Lead): Synthesis {
  return {
    synthesizer,
    markdown: [...lines, writeReport(claims, steps, sources)].join('\n'),
    claims: claims.map(({ id, text, confidence, supporting, contradicting }) => ({
      id,
      claim: text,
      confidence,
      supporting: supporting.map(evidenceOf),
      contradicting: contradicting.map(evidenceOf),
    })),
  };
}

function evidenceOf({ provider, stepId, quote, start, end, citationIndexes }: Statement): RecordedEvidence {
  return { provider, stepId, quote, start, end, citationIndexes };
}
