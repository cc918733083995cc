import type { KeyObject } from 'node:crypto';
import { isFinal, type JobState } from '@lib/domain/job/state';
import type { Stream } from '../history/aggregates';
import type { Contents, Uncommitted } from '../sealing/contents';
import { documentPlace, seal, unlessUnsealable } from '../sealing/seal';
import { jobDocument } from './job-document';

/**
 * The sealed, ready-to-send document of each job that becomes final in the batch. A job whose content is erased or cannot be opened gets none: it
 * ends all the same, and its readers are told.
 */
export async function sealedDocuments(
  before: ReadonlyMap<string, Stream>,
  after: ReadonlyMap<string, Stream>,
  uncommitted: Uncommitted,
  keys: ReadonlyMap<string, KeyObject>,
  contents: Contents,
): Promise<Map<string, Buffer>> {
  const sealed = async (jobId: string, state: JobState): Promise<[string, Buffer][]> => {
    const document = await jobDocument(jobId, state, contents.ofJob(jobId, state.threadId, uncommitted)).catch(unlessUnsealable);
    const key = keys.get(state.threadId);
    // Without its key or its question the thread is being deleted: the append will be refused.
    return document && key ? [[jobId, seal(key, documentPlace(jobId), JSON.stringify(document))]] : [];
  };
  const documents: Promise<[string, Buffer][]>[] = [];
  for (const [jobId, stream] of after) {
    const previous = before.get(jobId);
    if (stream.kind !== 'job' || !isFinal(stream.state) || stream.state.erased) continue;
    if (previous?.kind === 'job' && isFinal(previous.state)) continue;
    documents.push(sealed(jobId, stream.state));
  }
  return new Map((await Promise.all(documents)).flat());
}
