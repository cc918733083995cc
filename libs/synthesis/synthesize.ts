import type { RecordedEvidence } from '@lib/domain/job-events';
import { stems } from '@lib/text/tokens';
import { byText, claimTable } from './claim-table';
import { SourceNumbering } from './citations';
import { statementsOf, type Statement } from './claims';
import { writeReport } from './report';
import type { Synthesis, SynthesisInput } from './synthesis';

/** Changes with every change of the bytes that the same steps give. */
export const SYNTHESIZER_VERSION = 'deterministic-1';

/**
 * What the reports of a job agree on, dispute and say alone. Pure and deterministic: the same steps in any order give the same bytes.
 * It reads recorded steps alone, so it can be run again on any job at any time.
 */
export function synthesize({ query, steps }: SynthesisInput): Synthesis {
  const read = steps
    .toSorted((a, b) => byText(a.provider, b.provider) || byText(a.stepId, b.stepId))
    .map((step) => ({ step, statements: statementsOf(step) }));
  const claims = claimTable(
    read.flatMap(({ statements }) => statements),
    new Set(stems(query)),
  );
  const sources = new SourceNumbering(read.map(({ step }) => step).filter(({ status }) => status === 'completed'));
  return {
    synthesizer: SYNTHESIZER_VERSION,
    markdown: writeReport(
      claims,
      read.map(({ step, statements }) => ({ ...step, statementCount: statements.length })),
      sources,
    ),
    claims: claims.map(({ text, confidence, supporting, contradicting }, position) => ({
      id: `clm_${String(position + 1).padStart(2, '0')}`,
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
