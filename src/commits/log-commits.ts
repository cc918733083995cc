import type { Logger } from 'pino';
import type { Store } from '@lib/store/store';

/** Logs each event that this process commits. */
export function logCommits(store: Store, logger: Logger): void {
  store.onCommit(({ appended }) => {
    for (const { record } of appended) {
      const { streamId, version, type, facts, meta } = record;
      // Facts hold no content, so they may be logged.
      const { stepId, attempt, failure, reason: cause, phase, traceId } = facts as Record<string, unknown>;
      const ids = streamId.startsWith('job_') ? { jobId: streamId } : { threadId: streamId };
      logger.info({ reason: type, ...ids, version, stepId, attempt, failure, cause, phase, correlationId: meta.correlationId, traceId });
    }
  });
}
