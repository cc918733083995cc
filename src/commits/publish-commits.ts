import { CONTENT_ERASED_SUBJECT, jobChangedSubject, WIRE_VERSION } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import { erasedIn } from '@lib/store/commit/commit';
import type { Store } from '@lib/store/store';

/**
 * Publishes what this process commits: what was erased, and the last version of each job that changed. Best effort: those who wait for a job also
 * look for changes that they did not hear of, and what is remembered expires anyway.
 */
export function publishCommits(store: Store, transport: Transport): void {
  store.onCommit((commit) => {
    const erased = erasedIn(commit);
    if (erased.length > 0) transport.publish(CONTENT_ERASED_SUBJECT, { v: WIRE_VERSION, streamIds: erased });
    const changed = new Map<string, number>();
    for (const { record } of commit.appended) if (record.streamId.startsWith('job_')) changed.set(record.streamId, record.version);
    for (const [jobId, version] of changed) transport.publish(jobChangedSubject(jobId), { v: WIRE_VERSION, version });
  });
}
