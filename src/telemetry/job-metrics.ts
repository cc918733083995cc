import { isFinalEvent, type JobEvent } from '@lib/domain/job/events';
import type { Settlement } from '@lib/domain/job/facts';
import { stepOf, type JobState } from '@lib/domain/job/state';
import { isSettled, type StepState } from '@lib/domain/job/step';
import { MICROS_PER_DOLLAR } from '@lib/domain/money';
import type { Commit } from '@lib/store/commit/commit';
import type { Store } from '@lib/store/store';
import type { Metrics } from './metrics';
import { measureTenants } from './tenant-metrics';

/** Counts what the commits of this process say about jobs, their attempts and their money. */
export function measureJobs(store: Store, metrics: Metrics, tenants: readonly string[]): void {
  const measureTenant = measureTenants(metrics, tenants);
  store.onCommit((commit: Commit) => {
    metrics.commitUnits.observe(commit.units);
    metrics.commitDuration.observe(commit.tookMs / 1000);
    for (const { record } of commit.appended) {
      const stream = commit.streams.get(record.streamId);
      if (stream?.kind !== 'job') continue;
      const event = { type: record.type, facts: record.facts } as JobEvent;
      if (isAfterEnd(record, stream.state, commit)) {
        measure(event, record.meta.occurredAt, stream.state, { ...metrics, charged: metrics.late });
        continue;
      }
      measure(event, record.meta.occurredAt, stream.state, metrics);
      measureTenant?.(event, stream.state.tenantId);
    }
  });
  store.onConflict((reason) => metrics.commitConflicts.inc({ reason }));
  store.onAlert(({ reason }) => metrics.alerts.inc({ reason }));
}

/** What is charged after a job's end is not its tenant's. The state is that after the commit, which may hold both the charge and then the end. */
const isAfterEnd = ({ streamId, version }: Commit['appended'][number]['record'], { totals }: JobState, { appended }: Commit): boolean =>
  totals !== null && !appended.some(({ record }) => record.streamId === streamId && record.version >= version && isFinalEvent(record.type));

function measure(event: JobEvent, at: string, job: JobState, metrics: Metrics): void {
  const mode = job.researchMode;
  switch (event.type) {
    case 'JobRequested':
      return metrics.jobsCreated.inc({ tier: job.budgetTier, mode });
    case 'StepStarted':
      if (isFirstStep(event.facts.stepId, at, job)) metrics.firstStep.observe({ mode }, secondsBetween(job.createdAt, at));
      return;
    case 'StepCompleted':
      attemptEnded(stepOf(job, event.facts.stepId), { outcome: 'completed', failure: '' }, metrics);
      return settled(event.facts, providerOf(job, event.facts.stepId), metrics);
    case 'StepFailed':
      attemptEnded(stepOf(job, event.facts.stepId), { outcome: 'failed', failure: event.facts.failure }, metrics);
      return settled(event.facts, providerOf(job, event.facts.stepId), metrics);
    case 'StepAttemptLost':
      return attemptEnded(stepOf(job, event.facts.stepId), { outcome: 'lost', failure: '' }, metrics);
    case 'StepResultLate':
      metrics.lateResults.inc({ provider: providerOf(job, event.facts.stepId) });
      return settled(event.facts, providerOf(job, event.facts.stepId), metrics);
    case 'StepSkipped':
      return metrics.skipped.inc({ provider: providerOf(job, event.facts.stepId), reason: event.facts.reason });
    case 'DeadlineReached':
      return metrics.deadlines.inc({ phase: event.facts.phase });
    case 'SynthesisClaimed':
      return metrics.synthesisAttempts.inc({ event: 'claimed' });
    case 'SynthesisAttemptLost':
      return metrics.synthesisAttempts.inc({ event: 'lost' });
    case 'SynthesisSettled':
      metrics.synthesisAttempts.inc({ event: 'settled' });
      return settled(event.facts, 'synthesis', metrics);
    case 'JobCompleted':
      return finished('completed', '', at, job, metrics);
    case 'JobFailed':
      return finished('failed', event.facts.reason, at, job, metrics);
    case 'JobCancelled':
      return finished('cancelled', event.facts.reason, at, job, metrics);
    case 'BalanceReserved':
    case 'ContentErased':
    case 'ExploreStarted':
    case 'StepExternalIdRecorded':
    case 'JobRedriven':
    case 'StepRedriven':
    case 'StepRetryRedirected':
    case 'StepRunCancelled':
    case 'SynthesisStarted':
    case 'TopicsPlanned':
      return;
  }
}

/** Several steps may start at the moment at which the job does, and the job counts once. */
const isFirstStep = (stepId: string, at: string, { startedAt, steps }: JobState): boolean =>
  startedAt === at && steps.find((step) => step.startedAt === at)?.stepId === stepId;

const providerOf = (job: JobState, stepId: string): string => stepOf(job, stepId).entry.provider;

function attemptEnded(step: StepState, ended: { outcome: string; failure: string }, metrics: Metrics): void {
  const { provider } = step.entry;
  metrics.attempts.inc({ provider, ...ended });
  if (!isSettled(step) || step.startedAt === null || step.completedAt === null) return;
  metrics.stepDuration.observe({ provider, status: step.status }, secondsBetween(step.startedAt, step.completedAt));
}

function settled({ committedMicros, overrunMicros }: Settlement, provider: string, metrics: Metrics): void {
  if (committedMicros > 0) metrics.charged.inc({ provider }, committedMicros / MICROS_PER_DOLLAR);
  if (overrunMicros > 0) metrics.overrun.inc({ provider }, overrunMicros / MICROS_PER_DOLLAR);
}

function finished(status: string, reason: string, at: string, job: JobState, metrics: Metrics): void {
  const mode = job.researchMode;
  metrics.jobsFinished.inc({ tier: job.budgetTier, mode, status, reason });
  metrics.jobDuration.observe({ mode, status }, secondsBetween(job.createdAt, at));
  const lastStep = job.steps.reduce((last, { completedAt }) => (completedAt !== null && completedAt > last ? completedAt : last), '');
  if (status === 'completed' && lastStep !== '') metrics.synthesisDuration.observe(secondsBetween(lastStep, at));
}

const secondsBetween = (from: string, to: string): number => Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
