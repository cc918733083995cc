import { stems } from '@lib/text/tokens';
import { compare, groupAgreeing, type Group } from './agreement';
import { SourceNumbering } from './citations';
import { statementsOf, type Statement } from './claims';
import { confidenceOf } from './confidence';
import { findContradictions } from './contradiction';
import { writeReport } from './report';
import type { ClaimEvidence, Synthesis, SynthesisInput, SynthesisStep, SynthesizedClaim } from './synthesis';

/** Changes with every change of the bytes that the same steps give. */
export const SYNTHESIZER_VERSION = 'deterministic-1';

/** What a reader can take in; the rest stays in the providers' own reports. */
export const MAX_CLAIMS = 30;

/**
 * What the reports of a job agree on, dispute and say alone. Pure and deterministic: the same steps in any order give the same bytes.
 * It reads recorded steps alone, so it can be run again on any job at any time.
 */
export function synthesize({ query, steps }: SynthesisInput): Synthesis {
  const ordered = steps.toSorted((a, b) => byText(a.provider, b.provider) || byText(a.stepId, b.stepId));
  const statementsByStep = new Map(ordered.map((step) => [step, statementsOf(step)]));
  const claims = claimsOf([...statementsByStep.values()].flat(), new Set(stems(query)));
  const sources = new SourceNumbering(ordered.filter(({ status }) => status === 'completed'));
  const silent = ordered.filter((step) => step.status === 'completed' && statementsByStep.get(step)?.length === 0);
  return { synthesizer: SYNTHESIZER_VERSION, markdown: writeReport({ claims, steps: ordered, silent, sources }), claims };
}

interface RankedClaim extends Omit<SynthesizedClaim, 'id'> {
  rank: number;
}

const CONFIDENCE_RANK = { high: 2, medium: 1, low: 0 } as const;

function claimsOf(statements: readonly Statement[], question: ReadonlySet<string>): SynthesizedClaim[] {
  const comparison = compare(statements);
  const opponents = opponentsOf(statements, comparison);
  return groupAgreeing(comparison)
    .map((group) => claimOf(group, opponents, question))
    .sort((a, b) => CONFIDENCE_RANK[b.confidence] - CONFIDENCE_RANK[a.confidence] || b.rank - a.rank)
    .slice(0, MAX_CLAIMS)
    .map(({ rank: _, ...claim }, position) => ({ id: `clm_${String(position + 1).padStart(2, '0')}`, ...claim }));
}
