import type { KeyObject } from 'node:crypto';
import { isFinal } from '@lib/domain/job/state';
import type { Stream } from '../history/aggregates';
import type { AppendedEvent } from '../commit/decide-unit';
import type { Contents } from '../sealing/contents';
import { documentPlace, seal } from '../sealing/seal';
import { documentContents, jobDocument } from './job-document';

/** For each job that becomes final in a batch its ready-to-send document, sealed; none for a job whose content is erased. */
export async function sealedDocuments(
  before: ReadonlyMap<string, Stream>,
  after: ReadonlyMap<string, Stream>,
  appended: readonly AppendedEvent[],
  keys: ReadonlyMap<string, KeyObject>,
  contents: Contents,
): Promise<Map<string, Buffer>> {
  const documents = new Map<string, Buffer>();
  const inBatch = new Map(appended.map(({ record, content }) => [`${record.streamId}/${record.version}`, content]));
  for (const [jobId, stream] of after) {
    const previous = before.get(jobId);
    if (stream.kind !== 'job' || !isFinal(stream.state) || stream.state.erased) continue;
    if (previous?.kind === 'job' && isFinal(previous.state)) continue;
    const places = documentContents(jobId, stream.state);
    const stored = await contents.read(places.filter((place) => !inBatch.has(`${jobId}/${place.version}`)));
    const byVersion = new Map<number, object>();
    for (const { version } of places) {
      const content = inBatch.get(`${jobId}/${version}`) ?? stored.shift();
      if (content) byVersion.set(version, content);
    }
    const key = keys.get(stream.state.threadId);
    // Without its key or its question the thread is being deleted: the append will be refused.
    if (!key || !byVersion.has(1)) continue;
    documents.set(jobId, seal(key, documentPlace(jobId), JSON.stringify(jobDocument(jobId, stream.state, byVersion))));
  }
  return documents;
}
