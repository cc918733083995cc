import type { ClientBase, Pool } from 'pg';
import { emptyStream, type Stream } from '../history/aggregates';
import { foldPage, type FoldRow } from '../history/load';

/** Events held in memory at a time. */
const PAGE = 1_000;

export interface Folded {
  streams: Map<string, Stream>;
  /** The streams as they stood at the versions that were asked for. */
  marked: Map<string, Stream>;
  /** Streams that cannot be folded: their histories were changed, or a newer build wrote to them. */
  failures: Map<string, Error>;
}

/** Folds each stream from its first event, a page of events at a time, without using summaries. */
export async function foldStreams(
  database: Pool | ClientBase,
  streamIds: readonly string[],
  marks: ReadonlyMap<string, number> = new Map(),
): Promise<Folded> {
  const folded: Folded = {
    streams: new Map(streamIds.map((streamId) => [streamId, emptyStream(streamId)])),
    ...{ marked: new Map(), failures: new Map() },
  };
  for (let after: [string, number] = ['', 0]; ;) {
    const rows = await foldPage(database, streamIds, after, PAGE);
    for (const row of rows) take(folded, row, marks);
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    after = [last.streamId, last.version];
  }
  for (const streamId of folded.failures.keys()) folded.streams.delete(streamId);
  return folded;
}

function take(folded: Folded, { streamId, version, fold }: FoldRow, marks: ReadonlyMap<string, number>): void {
  if (folded.failures.has(streamId)) return;
  try {
    const stream = fold(folded.streams.get(streamId) as Stream);
    folded.streams.set(streamId, stream);
    if (marks.get(streamId) === version) folded.marked.set(streamId, stream);
  } catch (error) {
    folded.failures.set(streamId, error as Error);
  }
}
