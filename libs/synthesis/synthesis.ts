import type { Citation } from '@lib/domain/citation';
import type { ExplorationStop, SkipReason, StepFailure } from '@lib/domain/job/facts';
import type { FollowOnTopic, RecordedClaim } from '@lib/domain/job/recorded-report';
import type { BudgetTier, ProviderId, ResearchMode, StepStatus } from '@lib/domain/vocabulary';

/** A topic that a job with spidering followed. */
export interface ExploredTopic {
  /** Its number within the job. */
  topic: number;
  /** The topic whose reports mention it; null: the job's question. */
  parent: number | null;
  text: string;
  rationale: string;
}

/** A settled step of a job, as recorded. Only a completed one has a report. */
export interface SynthesisStep {
  stepId: string;
  provider: ProviderId;
  /** The follow-on topic of the step; absent or null for the job's own question. */
  topic?: ExploredTopic | null;
  status: Extract<StepStatus, 'completed' | 'failed' | 'skipped'>;
  reportMarkdown: string;
  citations: readonly Citation[];
  /** The recorded error's text or the reason in words; null if the step completed. */
  errorMessage: string | null;
  /** Why the step did not complete. */
  failure: StepFailure | SkipReason | null;
  /** The report was cut to the maximum size of a message. */
  truncated: boolean;
}

export interface SynthesisInput {
  query: string;
  mode: ResearchMode;
  tier: BudgetTier;
  steps: readonly SynthesisStep[];
  /** Why no more topics were followed; absent or null without spidering. */
  explorationStop?: ExplorationStop | null;
}

export interface Synthesis {
  /** Changes whenever the same steps could give different bytes. */
  synthesizer: string;
  markdown: string;
  claims: RecordedClaim[];
  followOnTopics: FollowOnTopic[];
}
