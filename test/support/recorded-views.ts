import { momentsOf } from '@lib/store/history/load';
import { JobContents } from '@lib/store/sealing/job-contents';
import type { Store } from '@lib/store/store';
import { pastJobView } from '@lib/store/views/past-jobs';
import type { PastJobView } from '@lib/store/views/past-job.view';
import { writeEveryEvent, type StoredStream } from './every-event';

/** A job's history with what people wrote and providers answered, by the version of its event. */
export interface RecordedJob extends StoredStream {
  contents: Record<number, object>;
}

const NOTHING = {};

/** What the service says of a job at each of its versions. */
export async function viewsOf({ streamId, events, contents }: RecordedJob): Promise<PastJobView[]> {
  const rows = events.map(({ version, type, schemaVersion, facts, meta }) => ({
    ...{ stream_id: streamId, version, type, schema_version: schemaVersion, facts: facts as Record<string, unknown>, at: meta.occurredAt },
    ...{ event_id: '', hash: Buffer.alloc(32) },
  }));
  const history = momentsOf(streamId, rows);
  const read = new JobContents(async (version) => contents[version] ?? null);
  const views = await Promise.all(history.map(({ version }) => pastJobView(streamId, history, version, read)));
  return JSON.parse(JSON.stringify(views)) as PastJobView[];
}

/** Lets the store write jobs with events of every type, and reads them with their content. */
export async function recordJobs(store: Store): Promise<RecordedJob[]> {
  const streams = (await writeEveryEvent(store)).filter(({ streamId }) => streamId.startsWith('job_'));
  return Promise.all(
    streams.map(async (stream) => {
      const { threadId } = (stream.events[0]?.facts ?? {}) as { threadId: string };
      const contents = store.contents.ofJob(stream.streamId, threadId);
      const opened: Record<number, object> = {};
      for (const { version } of stream.events) opened[version] = (await contents['contentOf'](version)) ?? NOTHING;
      return { ...stream, contents: Object.fromEntries(Object.entries(opened).filter(([, content]) => content !== NOTHING)) };
    }),
  );
}
