import type { SagaCalls } from '@lib/messaging/saga-messages';
import { patiently } from '@lib/store/postgres/answer-within';

/**
 * The saga as a worker sees it: a plain call within one process, a message over the transport otherwise. After `until` (by `performance.now()`)
 * nobody waits for the answer, so the saga need not decide. Without it, a call over the transport has a default time.
 */
export type SagaPort = {
  [Call in keyof SagaCalls]: (request: SagaCalls[Call]['request'], until?: number) => Promise<SagaCalls[Call]['reply']>;
};

/** Gives the database more time than for a client's request: workers say how long they wait, and repeat unanswered calls. */
export const forWorkers = (saga: SagaPort): SagaPort => ({
  claim: (request, until) => patiently(() => saga.claim(request, until)),
  recordExternalId: (request, until) => patiently(() => saga.recordExternalId(request, until)),
  heartbeat: (request, until) => patiently(() => saga.heartbeat(request, until)),
  report: (request, until) => patiently(() => saga.report(request, until)),
  abandonedRun: (request, until) => patiently(() => saga.abandonedRun(request, until)),
  runCancelled: (request, until) => patiently(() => saga.runCancelled(request, until)),
});
