import type { SagaCalls } from '@lib/messaging/saga-messages';

/** The saga as a worker sees it: in the same process a plain call, elsewhere over the transport. */
export type SagaPort = { [Call in keyof SagaCalls]: (request: SagaCalls[Call]['request']) => Promise<SagaCalls[Call]['reply']> };
