import type { SagaCalls } from '@lib/messaging/saga-messages';
import { patiently } from '@lib/store/postgres/answer-within';

/**
 * The saga as a worker sees it: a plain call within one process, and a message over the transport otherwise. `until` is by `performance.now()`:
 * after it nobody waits for the answer, so the saga need not decide any more. Without it the call has a default time.
 */
export type SagaPort = {
  [Call in keyof SagaCalls]: (request: SagaCalls[Call]['request'], until?: number) => Promise<SagaCalls[Call]['reply']>;
};

/** Workers say how long they wait, and repeat what was not answered: the database has longer than for a client. */
export const forWorkers = (saga: SagaPort): SagaPort => ({
  claim: (request, until) => patiently(() => saga.claim(request, until)),
  external: (request, until) => patiently(() => saga.external(request, until)),
  heartbeat: (request, until) => patiently(() => saga.heartbeat(request, until)),
  report: (request, until) => patiently(() => saga.report(request, until)),
  abandonedRun: (request, until) => patiently(() => saga.abandonedRun(request, until)),
  runCancelled: (request, until) => patiently(() => saga.runCancelled(request, until)),
});
