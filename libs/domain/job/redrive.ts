import { reservationFor } from '../budget';
import { DomainError } from '../errors';
import { centsFromMicros, microsFromCents } from '../money';
import type { RedriveJob, RedriveSteps } from './commands';
import type { JobEvent, StepRedriven } from './events';
import { availableMicros } from './reservations';
import { evolveJob, isFinal, type JobState } from './state';
import type { StepState } from './step';
import { stepTimeLeftMs, timeLeftMs } from './time-left';

const refused = (why: string): DomainError => new DomainError('conflict', why);

/**
 * The steps that ended without a report: the named ones, or all of them.
 * @throws DomainError if a named step is not one of them
 */
function failedSteps(state: JobState, stepIds: readonly string[] | null): StepState[] {
  const failed = state.steps.filter(({ status }) => status === 'failed' || status === 'skipped');
  for (const stepId of stepIds ?? [])
    if (!failed.some((step) => step.stepId === stepId))
      throw refused(`${stepId} is not a step of this job that ended without a report: leave out --step, or name one that did.`);
  const named = stepIds ? failed.filter(({ stepId }) => stepIds.includes(stepId)) : failed;
  if (named.length === 0) throw refused('No step of this job has ended without a report, so there is nothing to try again.');
  return named;
}

/** Retries failed steps of an open job, within what is left of its budget and its time. */
export function redriveSteps({ stepIds }: RedriveSteps, state: JobState, at: string): JobEvent[] {
  if (isFinal(state) || state.status === 'synthesizing')
    throw refused('The job asks no provider any more: wait until it has ended, then redrive it.');
  if (timeLeftMs(state, at) <= 0) throw refused('The deadline of the job is over: wait until it has ended, then redrive it.');
  let after = state;
  const events: StepRedriven[] = [];
  const reasons: string[] = [];
  for (const step of failedSteps(state, stepIds)) {
    const reason = whyNot(after, step, at);
    if (reason !== null) {
      reasons.push(`${step.stepId}: ${reason}`);
      continue;
    }
    const reservedMicros = reservationFor(step.entry, availableMicros(after)) as number;
    const event: StepRedriven = { type: 'StepRedriven', facts: { stepId: step.stepId, run: step.runs.length + 1, reservedMicros } };
    after = evolveJob(after, event, at);
    events.push(event);
  }
  // If steps are named, either all of them are retried or none.
  if (events.length === 0 || (stepIds && reasons.length > 0)) throw refused(`Not tried again: ${reasons.join('; ')}.`);
  return events;
}

function whyNot(state: JobState, step: StepState, at: string): string | null {
  if (step.runs.some(({ external, ended }) => external !== null && !ended))
    return 'its last run still goes on at the provider, which is being told to stop it; try again once it has';
  if (stepTimeLeftMs(state, step, at) <= 0)
    return 'what is left of the job’s time is kept for the steps that follow; try again once they have started';
  if (reservationFor(step.entry, availableMicros(state)) === null)
    return `${availableMicros(state)} micro-dollars are left of the budget, and it needs ${step.entry.minReserveMicros}`;
  return null;
}

/** Which steps of an ended job another job may repeat, and how much of the rest of the budget that may cost. */
export interface RedriveTerms {
  steps: StepState[];
  capCents: number;
}

/**
 * Another job repeats the failed steps, because clients have been told that this one has ended.
 * @throws DomainError if nothing can be repeated
 */
export function redriveTerms(state: JobState, stepIds: readonly string[] | null): RedriveTerms {
  const { totals, redrives = [] } = state;
  if (totals === null) throw refused('The job has not ended yet.');
  if (state.erased) throw new DomainError('thread_not_found', 'The thread of the job was deleted, and its question with it.');
  if (state.status === 'cancelled') throw refused('The job was cancelled by whoever asked for it: pursue it, or ask again.');
  // A step on a topic did not ask the job's question. Instead of repeating it, a client can pursue the topic.
  const failed = failedSteps(state, stepIds).filter(({ topic }) => topic === null);
  if (failed.length === 0) throw refused('Only steps on follow-on topics have failed: pursue the topics.');
  const handedOn = ({ stepId }: StepState): boolean => redrives.some(({ stepIds: of }) => of.includes(stepId));
  const steps = failed.filter((step) => !handedOn(step));
  // Of all that failed, what nobody asks again yet; of what is named, all or nothing.
  if (steps.length === 0 || (stepIds && steps.length < failed.length)) {
    const [again] = redrives.filter((redrive) => failed.some(({ stepId }) => redrive.stepIds.includes(stepId)));
    throw refused(`${again?.jobId} already asks again what failed: if it fails too, redrive that job.`);
  }
  const given = redrives.reduce((sum, { capCents }) => sum + capCents, 0);
  const spent = centsFromMicros(totals.chargedMicros + totals.lostMicros);
  const leftCents = state.budgetCapCents - spent - given;
  const open = failedSteps(state, null).filter((step) => step.topic === null && !handedOn(step));
  const capCents = shareOf(leftCents, steps, open);
  const least = Math.min(...steps.map(({ entry }) => entry.minReserveMicros));
  if (capCents <= 0 || microsFromCents(capCents) < least)
    throw refused(
      `Of the job's budget ${Math.max(leftCents, 0)} cents are left, which covers none of its failed steps: pursue it with a budget of its own.`,
    );
  return { steps, capCents };
}

/**
 * The share of these steps in the budget left for all `open` steps, in proportion to the most that each reserves. It is at least what the cheapest of
 * them needs, and never more than what is left.
 */
function shareOf(leftCents: number, steps: readonly StepState[], open: readonly StepState[]): number {
  if (steps.length === open.length) return leftCents;
  const most = (some: readonly StepState[]): number => some.reduce((sum, { entry }) => sum + entry.maxReserveMicros, 0);
  const share = most(open) === 0 ? leftCents : Math.floor((leftCents * most(steps)) / most(open));
  const least = centsFromMicros(Math.min(...steps.map(({ entry }) => entry.minReserveMicros)));
  return Math.min(leftCents, Math.max(share, least));
}

/** Records which job repeats the steps. It is committed together with that job's request, or neither is. */
export function redriveJob({ jobId, stepIds, capCents }: RedriveJob, state: JobState): JobEvent[] {
  const terms = redriveTerms(state, stepIds);
  if (terms.capCents !== capCents) throw refused('The job has moved on meanwhile: try again.');
  return [{ type: 'JobRedriven', facts: { jobId, stepIds: terms.steps.map(({ stepId }) => stepId), capCents } }];
}
