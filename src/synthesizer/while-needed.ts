import type { Logger } from 'pino';
import { isFinal } from '@lib/domain/job/state';
import type { Jobs } from '@lib/store/jobs';

/** The reason to leave a synthesis: the process stops, or nobody needs the report any more. */
export class SynthesisLeft extends Error {}

export interface Needing {
  jobs: Pick<Jobs, 'load'>;
  /** How often to check whether the job is final. */
  heartbeatMs: number;
  logger: Logger;
  /** Aborts when the process stops. */
  stopping: AbortSignal;
}

/**
 * Runs `write` with a signal that aborts when the process stops, or once the job is final (for example cancelled): then the report would only delay
 * others, and a model would be paid for nothing.
 */
export async function whileNeeded<Result>(
  jobId: string,
  { jobs, heartbeatMs, logger, stopping }: Needing,
  write: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const unneeded = new AbortController();
  const leaveIfFinal = async (): Promise<void> => {
    try {
      if (isFinal(await jobs.load(jobId))) unneeded.abort(new SynthesisLeft());
    } catch (error) {
      // Without an answer the job may still be open: go on.
      logger.warn({ reason: 'heartbeat_unanswered', jobId, err: error });
    }
  };
  const heartbeat = setInterval(() => void leaveIfFinal(), heartbeatMs);
  try {
    return await write(AbortSignal.any([stopping, unneeded.signal]));
  } finally {
    clearInterval(heartbeat);
  }
}
