import type { SagaCalls } from '@lib/messaging/saga-messages';

/**
 * The saga as a worker sees it: in the same process a plain call, elsewhere over the transport. From `until` on, by `performance.now()`,
 * nobody waits for the answer, so that what has not been decided by then need not be; without it a call has a time of its own.
 */
export type SagaPort = {
  [Call in keyof SagaCalls]: (request: SagaCalls[Call]['request'], until?: number) => Promise<SagaCalls[Call]['reply']>;
};
