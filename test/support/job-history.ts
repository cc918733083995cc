import { decideJob } from '@lib/domain/job/decide';
import { writtenReport, type RecordedReport } from '@lib/domain/job/recorded-report';
import type { Digest } from '@lib/domain/digest';
import type { PlanCandidate } from '@lib/domain/budget';
import type { CompleteJob, FailedResult, JobCommand, PlanTopics, RequestJob, StepResult, ToldCall } from '@lib/domain/job/commands';
import type { JobEvent } from '@lib/domain/job/events';
import type { SynthesisFailure } from '@lib/domain/job/facts';
import { evolveJob, initialJob, type JobState } from '@lib/domain/job/state';
import type { ProviderId } from '@lib/domain/vocabulary';
import { AT, specificationOf } from './decider';

export const A = 'stp_a';
export const B = 'stp_b';

export const candidate = (stepId: string, provider: ProviderId, minReserveMicros = 0, maxReserveMicros = 0) => ({
  stepId,
  provider,
  adapter: 'simulated',
  model: null,
  priceDate: '2026-11-21',
  minReserveMicros,
  maxReserveMicros,
});

/** 100 cents; two providers of at most 40 cents each unless said otherwise. */
export const request = (changes: Partial<RequestJob> = {}): RequestJob => ({
  type: 'RequestJob',
  tenantId: 'tenant',
  threadId: 'thr_1',
  parentJobId: null,
  query: 'Why?',
  budgetTier: 'XXS',
  budgetCapCents: 100,
  researchMode: 'fast',
  spideringEnabled: false,
  markupBasisPoints: 0,
  synthesisReserveMicros: 0,
  deadlines: { queueMs: 86_400_000, jobMs: 10_000_000, synthesisMs: 300_000 },
  candidates: [candidate(A, 'provider-a', 100_000, 400_000), candidate(B, 'provider-b', 100_000, 400_000)],
  ...changes,
});

/** Says what it is a digest of. */
export const digest: Digest = (name, text) => `${name} ${text}`;

const decide = (command: JobCommand, state: JobState, at: string): JobEvent[] => decideJob(command, state, at, digest);

/** The events that these commands lead to from an empty stream: histories in the specifications are never invented. */
export function historyOf(...commands: JobCommand[]): JobEvent[] {
  let state: JobState = initialJob;
  return commands.flatMap((command) => {
    const events = decide(command, state, AT);
    state = events.reduce((next, event) => evolveJob(next, event, AT), state);
    return events;
  });
}

export const given = (...commands: JobCommand[]) =>
  specificationOf({ initial: initialJob, decide, evolve: evolveJob })(...historyOf(...commands));

export const start = (stepId: string, claimId = `claim of ${stepId}`): JobCommand => ({ type: 'StartStep', stepId, claimId });

export const report = (stepId: string, attempt: number, result: StepResult): JobCommand => ({
  type: 'RecordStep',
  stepId,
  attempt,
  result,
});

export const success = (micros = 0): StepResult => ({
  outcome: 'completed',
  charge: { micros, provenance: 'reported' },
  rawSha256: 'ab'.repeat(32),
  model: null,
  reportMarkdown: 'So it is [1].',
  citations: [],
  truncated: false,
});

/** What a worker of this build tells beside it. */
export const USAGE = { inputTokens: 1_000, cachedInputTokens: null, outputTokens: 200, searches: 2 };
export const CALL: ToldCall = { sentSha256: 'cd'.repeat(32), requestId: 'req-1', status: 200 };
export const told = (result: StepResult): StepResult =>
  ({
    ...result,
    charge: result.charge && { ...result.charge, usage: USAGE, pricesSha256: 'ef'.repeat(32) },
    call: CALL,
  }) as StepResult;

export const failure = (changes: Partial<FailedResult> = {}): StepResult => ({
  outcome: 'failed',
  errorClass: 'overloaded',
  errorMessage: 'The provider was overloaded.',
  charge: { micros: 0, provenance: 'reported' },
  retryAfterMs: null,
  runEnded: false,
  ...changes,
});

export const externalId = (stepId: string, attempt: number, id = 'run-1'): JobCommand => ({
  type: 'RecordExternalId',
  stepId,
  attempt,
  externalId: id,
});

/** One topic for each of the candidates. */
export const planTopics = (round: number, ...candidates: PlanCandidate[]): PlanTopics => ({
  type: 'PlanTopics',
  round,
  topics: candidates.map((asked, place) => ({
    topic: round * 10 + place,
    parent: round === 1 ? null : 10,
    text: `Topic ${round}.${place}`,
    rationale: 'Mentioned, not covered.',
    candidates: [asked],
  })),
  failed: false,
});

export const lose = (stepId: string, attempt: number): JobCommand => ({ type: 'LoseAttempt', stepId, attempt });
export const claimSynthesis = (claimId = 'synthesis claim'): JobCommand => ({
  type: 'ClaimSynthesis',
  claimId,
  model: 'model-1',
  priceDate: '2026-11-21',
});
export const loseSynthesis = (attempt: number): JobCommand => ({ type: 'LoseSynthesis', attempt });
/** By the holder of a claim, for so many micro-dollars of the provider; an unknown charge is null. */
export const completePaid = (micros: number | null, claimId = 'synthesis claim', failure: SynthesisFailure | null = null): CompleteJob => ({
  ...complete,
  paid: { claimId, charge: micros === null ? null : { micros, provenance: 'computed' }, failure },
});
export const completeWith = (report: Partial<RecordedReport>): CompleteJob => ({
  type: 'CompleteJob',
  synthesizer: 'test-1',
  report: writtenReport({ markdown: '# Report', claims: [], followOnTopics: [], ...report }),
});
export const complete = completeWith({});
