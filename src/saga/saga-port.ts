import type { SagaCalls } from '@lib/messaging/saga-messages';

/**
 * The saga as a worker sees it: a plain call within one process, and a message over the transport otherwise. `until` is by `performance.now()`:
 * after it nobody waits for the answer, so the saga need not decide any more. Without it the call has a default time.
 */
export type SagaPort = {
  [Call in keyof SagaCalls]: (request: SagaCalls[Call]['request'], until?: number) => Promise<SagaCalls[Call]['reply']>;
};
