import { decideJob } from '@lib/domain/job';
import type { JobCommand, RequestJob, StepResult } from '@lib/domain/job-commands';
import type { JobEvent } from '@lib/domain/job-events';
import { evolveJob, initialJob, type JobState } from '@lib/domain/job-state';
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
  synthesisReserveMicros: 0,
  deadlines: { queueMs: 86_400_000, jobMs: 10_000_000, synthesisMs: 300_000 },
  candidates: [candidate(A, 'provider-a', 100_000, 400_000), candidate(B, 'provider-b', 100_000, 400_000)],
  ...changes,
});

/** The events that these commands lead to from an empty stream: histories in the specifications are never invented. */
export function historyOf(...commands: JobCommand[]): JobEvent[] {
  let state: JobState = initialJob;
  return commands.flatMap((command) => {
    const events = decideJob(command, state, AT);
    state = events.reduce((next, event) => evolveJob(next, event, AT), state);
    return events;
  });
}

export const given = (...commands: JobCommand[]) =>
  specificationOf({ initial: initialJob, decide: decideJob, evolve: evolveJob })(...historyOf(...commands));

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

export const failure = (changes: Partial<Extract<StepResult, { outcome: 'failed' }>> = {}): StepResult => ({
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
  externalIdSha256: `sha of ${id}`,
});

export const lose = (stepId: string, attempt: number): JobCommand => ({ type: 'LoseAttempt', stepId, attempt });
export const complete: JobCommand = { type: 'CompleteJob', synthesizer: 'test-1', markdown: '# Report', claims: [], followOnTopics: [] };
