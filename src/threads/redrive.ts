import type { ProviderId } from '@lib/domain/vocabulary';
import type { PlanCandidate } from '@lib/domain/budget';
import { DomainError } from '@lib/domain/errors';
import { redriveTerms } from '@lib/domain/job/redrive';
import { isFinal, type JobState } from '@lib/domain/job/state';
import type { StepState } from '@lib/domain/job/step';
import type { Unit } from '@lib/store/commit/unit';
import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import { planJob, type PlanSettings } from './plan';

export interface Redrive {
  jobId: string;
  /** The steps to try again; null for every step that ended without a report and can be tried again. */
  stepIds: readonly string[] | null;
  meta: Unit['meta'];
  /** The limits of the job's tenant. */
  limits: Unit['limits'];
}

export interface Redriven {
  /** The job whose steps are tried again; if the given job had ended, a new one. */
  jobId: string;
  stepIds: string[];
  /** What the new job may cost; null if the given job itself goes on. */
  capCents: number | null;
  /** Providers of these steps that the new job does not ask, because the rest of the budget does not cover them as well. */
  uncovered: ProviderId[];
}

type Redriving = Pick<Store, 'jobs' | 'contents' | 'execute'>;

/**
 * Tries the failed steps of a job again, within what is left of its budget. A job that has ended stays unchanged: a new job asks its question of
 * these providers, with the current settings.
 * @throws DomainError if that is not possible
 */
export async function redrive(store: Redriving, settings: PlanSettings, asked: Redrive): Promise<Redriven> {
  const state = await store.jobs.load(asked.jobId);
  if (state.version === 0) throw new DomainError('job_not_found', `There is no job ${asked.jobId}.`);
  return isFinal(state) ? askAgain(store, settings, state, asked) : tryAgain(store, asked);
}

async function tryAgain(store: Redriving, { jobId, stepIds, meta }: Redrive): Promise<Redriven> {
  const { appended } = await store.execute({
    meta,
    commands: [{ kind: 'job', streamId: jobId, command: { type: 'RedriveSteps', stepIds } }],
  });
  const redriven = appended.filter(({ record }) => record.type === 'StepRedriven');
  return { jobId, stepIds: redriven.map(({ record }) => (record.facts as { stepId: string }).stepId), capCents: null, uncovered: [] };
}

async function askAgain(store: Redriving, settings: PlanSettings, state: JobState, asked: Redrive): Promise<Redriven> {
  const { tenantId, threadId, budgetTier, researchMode } = state;
  const { steps, capCents } = redriveTerms(state, asked.stepIds);
  const query = await store.contents.ofJob(asked.jobId, threadId).question();
  if (query === null) throw new DomainError('thread_not_found', `The content of ${asked.jobId} was erased with its thread.`);
  const providers = steps.map(({ entry }) => entry.provider);
  const plan = planJob({ budget: budgetTier, mode: researchMode, spidering: false, providers }, settings);
  requireApis(steps, plan.candidates);
  requireTerms(state, plan.markupBasisPoints, settings.needsBalance);
  const terms = { ...plan, budgetCapCents: capCents, balanceReservedCents: settings.needsBalance ? capCents : undefined };
  const jobId = newId('job');
  const parentJobId = asked.jobId;
  const { appended } = await store.execute({
    meta: asked.meta,
    limits: asked.limits,
    commands: [
      {
        kind: 'thread',
        streamId: threadId,
        command: { type: 'AddJob', tenantId, jobId, parent: { jobId: parentJobId, isOfThread: true } },
      },
      { kind: 'job', streamId: jobId, command: { type: 'RequestJob', tenantId, threadId, parentJobId, query, ...terms } },
      { kind: 'job', streamId: parentJobId, command: { type: 'RedriveJob', jobId, stepIds: asked.stepIds, capCents } },
    ],
  });
  const skipped = appended.flatMap(({ record }) => (record.type === 'StepSkipped' ? [(record.facts as { stepId: string }).stepId] : []));
  const uncovered = plan.candidates.filter(({ stepId }) => skipped.includes(stepId)).map(({ provider }) => provider);
  return { jobId, stepIds: steps.map(({ stepId }) => stepId), capCents, uncovered };
}

/** The operator's shell decides what the new job costs its tenant, and the service may be set otherwise than that. */
function requireTerms({ markupBasisPoints: was, balanceReservedCents }: JobState, markup: number, needsBalance: boolean): void {
  if (markup !== was)
    throw new DomainError(
      'conflict',
      `The job was asked for with MARKUP_PERCENT=${was / 100}, and this command has ${markup / 100}: give it the same.`,
    );
  if ((balanceReservedCents ?? 0) > 0 && !needsBalance)
    throw new DomainError('conflict', 'The job held a balance, but BALANCE is not `required` here: set BALANCE=required.');
}

/**
 * If the providers file says `auto`, the keys in the operator's shell decide the plan. Without them nothing would be reserved for a paid API, so its
 * worker would refuse the step, and failed steps can be tried again only once.
 */
function requireApis(steps: readonly StepState[], candidates: readonly PlanCandidate[]): void {
  const lost = steps.flatMap(({ entry: was }) => {
    const now = candidates.find(({ provider }) => provider === was.provider);
    const costsNothing = now?.adapter !== was.adapter && now?.maxReserveMicros === 0;
    return costsNothing ? [`${was.provider} by ${was.adapter} (now ${now.adapter})`] : [];
  });
  if (lost.length === 0) return;
  throw new DomainError(
    'conflict',
    `The job asked ${lost.join(', ')}; with the settings of this command a free adapter would answer instead: give it the PROVIDERS_FILE ` +
      'and the keys of the providers that the service has. To ask the free adapter, pursue the job.',
  );
}
