import type { JobCommand } from './commands';
import { stepOf, type JobState } from './state';
import { attemptOf, runOf, type StepState } from './step';

/** The version of the event that led to a command; null if a request from outside led to it. It is only recorded; no decision depends on it. */
export function causeOf(command: JobCommand, state: JobState): number | null {
  switch (command.type) {
    case 'RequestJob':
    case 'CancelJob':
    case 'RedriveSteps':
    case 'RedriveJob':
    case 'EraseContent':
      return null;
    case 'StartStep':
    case 'SkipStep':
      return dueSince(stepOf(state, command.stepId), state);
    case 'RecordExternalId':
    case 'RecordStep':
    case 'LoseAttempt':
      return attemptOf(stepOf(state, command.stepId), command.attempt).version;
    case 'RecordRunCancelled':
      return runOf(stepOf(state, command.stepId), command.run).external?.version ?? null;
    case 'ReachDeadline':
    case 'ClaimSynthesis':
    case 'FailSynthesis':
      return state.phaseVersion;
    case 'LoseSynthesis':
      return state.syntheses.find(({ attempt }) => attempt === command.attempt)?.version ?? null;
    case 'PlanTopics':
      return state.exploration.version;
    case 'CompleteJob':
      return state.syntheses.find(({ claimId }) => claimId === command.paid?.claimId)?.version ?? state.phaseVersion;
  }
}

/** Version of the event that allowed the step to begin: its plan, the end of an earlier try, or the end of the last step of the earlier waves. */
const dueSince = ({ version, entry }: StepState, { steps }: JobState): number =>
  Math.max(version, ...steps.filter((other) => other.entry.wave < entry.wave).map((other) => other.version));
