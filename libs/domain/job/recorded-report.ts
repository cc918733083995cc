import type { Confidence, ContradictionCue, ProviderId } from '../vocabulary';

/** What the final event of a completed job records. */
export interface RecordedReport {
  markdown: string;
  claims: RecordedClaim[];
  followOnTopics: FollowOnTopic[];
}

/**
 * A report as the JSON that its event seals, with the counts that the event records. As objects, a report's many quotes would cost several times as
 * much when passed out of a worker thread and while they wait for their commit.
 */
export interface WrittenReport {
  json: string;
  markdownLength: number;
  claimCount: number;
  followOnTopicCount: number;
}

export const writtenReport = ({ markdown, claims, followOnTopics }: RecordedReport): WrittenReport => ({
  json: JSON.stringify({ markdown, claims, followOnTopics } satisfies RecordedReport),
  markdownLength: markdown.length,
  claimCount: claims.length,
  followOnTopicCount: followOnTopics.length,
});

/** A statement of the report and the providers that support it; its id is unique within the job. */
export interface RecordedClaim {
  id: string;
  claim: string;
  confidence: Confidence;
  supporting: RecordedEvidence[];
  contradicting: RecordedContradiction[];
}

/** One provider's sentence behind a claim: `reportMarkdown.slice(start, end) === quote` holds for the step's report, in UTF-16 units. */
export interface RecordedEvidence {
  provider: ProviderId;
  stepId: string;
  quote: string;
  start: number;
  end: number;
  /** `Citation.index` values of the step's citations that the quote carries. */
  citationIndexes: number[];
}

/** A sentence that contradicts the claim, and the cue that shows it; schema version 1 of the event has no cue. */
export interface RecordedContradiction extends RecordedEvidence {
  cue: ContradictionCue;
}

/** A topic worth pursuing next, in plain text: a dispute to settle or a gap to fill. */
export interface FollowOnTopic {
  /** A question or subject that can be pursued as it stands. */
  topic: string;
  rationale: string;
  kind: 'gap' | 'dispute';
  /** The job's claims that it comes from; empty if no claim mentions it. */
  claimIds: string[];
}
