import { reserve } from '../budget';
import type { Digest } from '../digest';
import { DomainError } from '../errors';
import type { JobCommand, RequestJob } from './commands';
import type { JobEvent } from './events';
import type { DeadlinePhase, JobOrigin } from './facts';
import { mayExplore, planTopics } from './exploration';
import { NO_CALL } from './recorded-call';
import { redriveJob, redriveSteps } from './redrive';
import { totalsOf } from './reservations';
import { evolveJob, isFinal, type JobState } from './state';
import { isSettled } from './step';
import { NO_OTHER_TRY } from './retries';
import { loseAttempt, recordExternalId, recordRunCancelled, recordStep, skipStep, startStep } from './steps';
import { claimSynthesis, completeJob, loseSynthesis } from './synthesis';
import { centsFromMicros, microsFromCents } from '../money';

export function decideJob(command: JobCommand, state: JobState, at: string, digest: Digest): JobEvent[] {
  if (command.type === 'RequestJob') return state.version > 0 ? [] : requestJob(command);
  if (state.version === 0) throw new DomainError('job_not_found');
  switch (command.type) {
    case 'StartStep':
      return startStep(command, state, at);
    case 'RecordExternalId':
      return recordExternalId(command, state, digest);
    case 'RecordStep':
      return withFollowUp(recordStep(command, state, at, digest), state, at);
    case 'LoseAttempt':
      return withFollowUp(loseAttempt(command, state, at), state, at);
    case 'SkipStep':
      return withFollowUp(skipStep(command, state), state, at);
    case 'ReachDeadline':
      return reachDeadline(command.phase, state, at);
    case 'RecordRunCancelled':
      return recordRunCancelled(command, state);
    case 'ClaimSynthesis':
      return claimSynthesis(command, state);
    case 'LoseSynthesis':
      return loseSynthesis(command, state);
    case 'PlanTopics':
      return withFollowUp(planTopics(command, state, at), state, at);
    case 'CompleteJob':
      return completeJob(command, state, at, digest);
    case 'FailSynthesis':
      return state.status === 'synthesizing' ? [{ type: 'JobFailed', facts: { reason: 'synthesis_failed', ...totalsOf(state) } }] : [];
    case 'RedriveSteps':
      return redriveSteps(command, state, at);
    case 'RedriveJob':
      return redriveJob(command, state);
    case 'CancelJob':
      return cancelJob('requested', state, at);
    case 'EraseContent':
      return state.erased
        ? []
        : [...cancelJob('thread_deleted', state, at), { type: 'ContentErased', facts: { reason: 'thread_deleted' } }];
  }
}

/** What follows once every step has settled: look for follow-on topics, synthesize the available reports, or fail. */
export function settle(state: JobState): JobEvent[] {
  if (isFinal(state) || state.status === 'synthesizing' || state.exploration.open || !state.steps.every(isSettled)) return [];
  if (mayExplore(state)) return [{ type: 'ExploreStarted', facts: { round: state.exploration.round + 1 } }];
  const completedSteps = state.steps.filter((step) => step.status === 'completed').length;
  if (completedSteps > 0) return [{ type: 'SynthesisStarted', facts: { completedSteps } }];
  return [{ type: 'JobFailed', facts: { reason: 'no_step_completed', ...totalsOf(state) } }];
}

const evolveAll = (state: JobState, events: readonly JobEvent[], at: string): JobState =>
  events.reduce((next, event) => evolveJob(next, event, at), state);

/** The events, and what follows from them once every step has settled. */
const withFollowUp = (events: JobEvent[], state: JobState, at: string): JobEvent[] => [...events, ...settle(evolveAll(state, events, at))];

const UNKNOWN_ORIGIN: JobOrigin = { messageId: null, asked: null, settingsSha256: null, process: null };

function requestJob({ type: _, candidates, query, balanceReservedCents: cents = 0, ...rest }: RequestJob): JobEvent[] {
  const facts = { ...UNKNOWN_ORIGIN, ...rest };
  const budget = microsFromCents(facts.budgetCapCents) - facts.synthesisReserveMicros;
  const reserved = reserve(candidates, budget);
  const plan = reserved.map(({ candidate, reservedMicros }, index) => ({
    ...candidate,
    reservedMicros: reservedMicros ?? 0,
    wave: facts.researchMode === 'methodical' ? index : 0,
  }));
  const skipped = reserved.filter(({ reservedMicros }) => reservedMicros === null);
  if (skipped.length === reserved.length) {
    const least = centsFromMicros(Math.min(...candidates.map(({ minReserveMicros }) => minReserveMicros)) + facts.synthesisReserveMicros);
    const words = `The budget of ${facts.budgetCapCents} cents covers none of the providers: ask for one of ${least} cents or more.`;
    throw new DomainError('budget_too_small', words);
  }
  return [
    { type: 'JobRequested', facts: { ...facts, plan }, content: { query } },
    ...(cents > 0 ? [{ type: 'BalanceReserved' as const, facts: { cents } }] : []),
    ...skipped.map(({ candidate }): JobEvent => ({ type: 'StepSkipped', facts: { stepId: candidate.stepId, reason: 'budget' } })),
  ];
}

/** Ends the steps at a deadline. The reports that are complete by then are synthesized. */
function reachDeadline(phase: DeadlinePhase, state: JobState, at: string): JobEvent[] {
  const expected = { pending: 'queue', running: 'running', synthesizing: 'synthesis' } as const;
  if (isFinal(state) || expected[state.status as keyof typeof expected] !== phase) return [];
  const reached: JobEvent = { type: 'DeadlineReached', facts: { phase } };
  if (phase === 'synthesis') return [reached, { type: 'JobFailed', facts: { reason: 'synthesis_failed', ...totalsOf(state) } }];
  const events = [reached, ...endSteps(state, 'deadline')];
  if (phase === 'running') return withFollowUp(events, state, at);
  return [...events, { type: 'JobFailed', facts: { reason: 'not_started', ...totalsOf(evolveAll(state, events, at)) } }];
}

function cancelJob(reason: 'requested' | 'thread_deleted', state: JobState, at: string): JobEvent[] {
  if (isFinal(state)) return [];
  const events = endSteps(state, 'cancelled');
  return [...events, { type: 'JobCancelled', facts: { reason, ...totalsOf(evolveAll(state, events, at)) } }];
}

function endSteps(state: JobState, reason: 'deadline' | 'cancelled'): JobEvent[] {
  return state.steps
    .filter((step) => !isSettled(step))
    .map((step): JobEvent => {
      const attempt = step.attempts.at(-1);
      if (step.status === 'queued' || !attempt) return { type: 'StepSkipped', facts: { stepId: step.stepId, reason } };
      const facts = { stepId: step.stepId, attempt: attempt.attempt, run: attempt.run, failure: reason, runEnded: false };
      const unsettled = { charge: null, committedMicros: 0, overrunMicros: 0, call: NO_CALL };
      return { type: 'StepFailed', facts: { ...facts, ...NO_OTHER_TRY, ...unsettled } };
    });
}
