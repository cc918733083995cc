import type { Logger } from 'pino';
import type { StoreAlert } from '@lib/store/alert';
import type { Store } from '@lib/store/store';

/** Logs faults that the service cannot repair itself, for whoever is on call. */
export function logAlerts(store: Store, logger: Logger): void {
  store.onAlert(({ reason, of, error }) => logger.error({ reason, alert: true, of, err: error }, MESSAGES[reason]));
}

const MESSAGES: Record<StoreAlert['reason'], string> = {
  corrupt_history: 'a history cannot be read: restore it from a backup; it is looked at again in an hour',
  corrupt_content: 'content cannot be opened: restore it from a backup; the steps that need it are looked at again in an hour',
  job_not_erased: 'a job of a deleted thread could not be erased; it is tried again later',
  deletion_not_listed: 'a thread is not deleted, since DELETION_LIST cannot be written: make room there, and have the request repeated',
  thread_not_erased: 'the rest of a deleted thread could not be erased; it is tried again later',
};
