import type { Logger } from 'pino';
import { CONTENT_ERASED_SUBJECT, readContentErased } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import type { Store } from '@lib/store/store';

/** Drops cached threads and jobs that another process has erased. Best effort: all cached entries expire anyway. */
export async function forgetErased(store: Pick<Store, 'forget'>, transport: Transport, logger: Logger): Promise<void> {
  try {
    await transport.subscribe(CONTENT_ERASED_SUBJECT, (payload) => store.forget(readContentErased(payload)));
  } catch (error) {
    logger.warn(
      { reason: 'listening_failed', err: error },
      'erasures of other processes are not heard: what is remembered is forgotten in time',
    );
  }
}
