import type { Citation } from '@lib/domain/citation';
import type { BudgetTier, Confidence, ProviderId, ResearchMode, StepStatus } from '@lib/domain/vocabulary';

/** A settled step of a job, as recorded. Only a completed one has a report. */
export interface SynthesisStep {
  stepId: string;
  provider: ProviderId;
  status: Extract<StepStatus, 'completed' | 'failed' | 'skipped'>;
  reportMarkdown: string;
  citations: readonly Citation[];
  errorMessage: string | null;
}

export interface SynthesisInput {
  query: string;
  mode: ResearchMode;
  tier: BudgetTier;
  steps: readonly SynthesisStep[];
}

/** One provider's sentence behind a claim: `reportMarkdown.slice(start, end) === quote` holds for the step's report. */
export interface ClaimEvidence {
  provider: ProviderId;
  stepId: string;
  quote: string;
  /** UTF-16 units of the step's `reportMarkdown`; end is exclusive. */
  start: number;
  end: number;
  /** `Citation.index` values of the step's citations that the quote carries. */
  citationIndexes: number[];
}

export interface SynthesizedClaim {
  id: string;
  claim: string;
  confidence: Confidence;
  supporting: ClaimEvidence[];
  contradicting: ClaimEvidence[];
}

export interface Synthesis {
  /** Changes whenever the same steps could give other bytes. */
  synthesizer: string;
  markdown: string;
  claims: SynthesizedClaim[];
}
