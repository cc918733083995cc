import { DomainError, type DomainErrorCode } from '../errors';
import type { AttemptState, StepState } from './step';
import type { ProviderId } from '../vocabulary';

/** How a worker that speaks about a step has identified itself. Commands of the service itself have no speaker. */
export interface Speaker {
  /** The only provider that it may speak for; absent if the subject of its message names none. */
  provider?: ProviderId | undefined;
  /** The claim whose secret it knows; absent if it showed none. */
  claimId?: string | undefined;
}

/** A worker sent a message about a step or attempt that is not its own. The answer says that it does not exist; the detail goes only to the log. */
export class NotTheirs extends DomainError {
  constructor(code: Extract<DomainErrorCode, 'step_not_found' | 'attempt_not_found'>, detail: string) {
    super(code, detail);
  }
}

const OF_SECRET = 'sha256:';
/** Whether the claim belongs to the worker that knows its secret. Claims of the previous release's workers have none. */
export const isOfSecret = (claimId: string): boolean => claimId.startsWith(OF_SECRET);
export const claimIdOfDigest = (digest: string): string => OF_SECRET + digest;

export function requireProvider({ entry }: StepState, speaker: Speaker | undefined): void {
  if (speaker?.provider === undefined || speaker.provider === entry.provider) return;
  throw new NotTheirs('step_not_found', `a step of ${entry.provider} was spoken of by a worker of ${speaker.provider}`);
}

/** @throws NotTheirs unless the step is of the speaker's provider, and the attempt was granted to its claim */
export function requireHolder(step: StepState, { attempt, claimId }: AttemptState, speaker: Speaker | undefined): void {
  requireProvider(step, speaker);
  if (speaker === undefined || !isOfSecret(claimId) || speaker.claimId === claimId) return;
  throw new NotTheirs('attempt_not_found', `attempt ${attempt} was spoken of by somebody who does not hold its claim`);
}
