import type { RecordedClaim, RecordedEvidence } from '@lib/domain/job-events';
import { stems } from '@lib/text/tokens';
import { byText, claimTable, type Claim } from './claim-table';
import { SourceNumbering } from './citations';
import { statementsOf, type Statement } from './claims';
import { followOnTopics } from './follow-on';
import { writeReport } from './report';
import { limitsOf } from './report/limits';
import { outlineOf } from './report/outline';
import type { Synthesis, SynthesisInput } from './synthesis';

/** Changes with every change of the bytes that the same steps give. */
export const SYNTHESIZER_VERSION = 'deterministic-2';

/**
 * What the reports of a job agree on, dispute and say alone. Pure and deterministic: the same steps in any order give the same bytes.
 * It reads recorded steps alone, so it can be run again on any job at any time.
 */
export function synthesize(input: SynthesisInput): Synthesis {
  const read = input.steps
    .toSorted((a, b) => byText(a.provider, b.provider) || byText(a.stepId, b.stepId))
    .map((step) => ({ step, statements: statementsOf(step, input.query) }));
  const claims = claimTable(
    read.flatMap(({ statements }) => statements),
    new Set(stems(input.query)),
    limitsOf(input.tier, input.mode).claims,
  );
  const ids = new Map(claims.map((claim, position) => [claim, `clm_${String(position + 1).padStart(2, '0')}`]));
  const idOf = (claim: Claim): string => ids.get(claim) ?? '';
  const outline = outlineOf(claims, input);
  const topics = followOnTopics(input.query, claims, outline, idOf);
  return {
    synthesizer: SYNTHESIZER_VERSION,
    markdown: writeReport({
      outline,
      followOnTopics: topics,
      steps: read.map(({ step, statements }) => ({ ...step, statementCount: statements.length })),
      sources: new SourceNumbering(read.map(({ step }) => step).filter(({ status }) => status === 'completed')),
    }),
    claims: claims.map((claim) => recordedClaim(claim, idOf(claim))),
    followOnTopics: topics,
  };
}

function recordedClaim({ text, confidence, supporting, contradicting, cues }: Claim, id: string): RecordedClaim {
  const against = contradicting.flatMap((statement) => {
    const cue = cues.get(statement);
    return cue ? [{ ...evidenceOf(statement), cue }] : [];
  });
  return { id, claim: text, confidence, supporting: supporting.map(evidenceOf), contradicting: against };
}

function evidenceOf({ provider, stepId, quote, start, end, citationIndexes }: Statement): RecordedEvidence {
  return { provider, stepId, quote, start, end, citationIndexes };
}
