import { DAY_MS, MINUTE_MS } from '@lib/domain/durations';
import type { CompleteJob, RequestJob, StepResult } from '@lib/domain/job/commands';
import { writtenReport } from '@lib/domain/job/recorded-report';
import { NO_CHARGE } from '@lib/domain/money';

/** What the measurements without an edge decide about jobs themselves, of providers that cost nothing. */
export const TENANT = 'bench';
export const META = { actor: 'role:bench', correlationId: 'bench' };

/** A job with a step for each id. */
export const requestJob = (threadId: string, stepIds: readonly string[]): RequestJob => ({
  type: 'RequestJob',
  tenantId: TENANT,
  threadId,
  parentJobId: null,
  query: 'How?',
  budgetTier: 'S',
  budgetCapCents: 500,
  researchMode: 'fast',
  spideringEnabled: false,
  markupBasisPoints: 0,
  synthesisReserveMicros: 0,
  deadlines: { queueMs: DAY_MS, jobMs: 2 * MINUTE_MS, synthesisMs: 5 * MINUTE_MS },
  candidates: stepIds.map((stepId) => ({
    stepId,
    provider: 'provider-a',
    adapter: 'simulated',
    model: null,
    priceDate: null,
    minReserveMicros: 0,
    maxReserveMicros: 0,
  })),
});

export const completedStep = (reportMarkdown: string): StepResult => ({
  outcome: 'completed',
  charge: NO_CHARGE,
  rawSha256: 'ab'.repeat(32),
  model: null,
  reportMarkdown,
  citations: [],
  truncated: false,
});

export const completeJob = (markdown: string): CompleteJob => ({
  type: 'CompleteJob',
  synthesizer: 'bench',
  report: writtenReport({ markdown, claims: [], followOnTopics: [] }),
});
