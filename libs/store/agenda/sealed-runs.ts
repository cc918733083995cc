import type { Stream } from '../history/aggregates';
import type { AppendedEvent } from '../commit/decide-unit';
import type { AgendaRow } from '../commit/writes';
import type { Contents } from '../sealing/contents';
import type { KeyRing } from '../sealing/key-ring';

/** Gives each row that cancels a run the run's id, sealed so that it outlives the thread. The id stands in the event that recorded it. */
export async function sealRuns(
  rows: readonly AgendaRow[],
  streams: ReadonlyMap<string, Stream>,
  appended: readonly AppendedEvent[],
  contents: Contents,
  ring: KeyRing,
): Promise<void> {
  const cancelled = rows.filter(({ kind }) => kind === 'cancel run');
  if (cancelled.length === 0) return;
  const places = cancelled.map(({ jobId, stepId, run }) => {
    const stream = streams.get(jobId);
    if (stream?.kind !== 'job') throw new Error(`${jobId} is no job`);
    const step = stream.state.steps.find((other) => other.stepId === stepId);
    return { streamId: jobId, version: step?.runs[(run ?? 0) - 1]?.external?.version ?? 0, threadId: stream.state.threadId };
  });
  const stored = await contents.read(places);
  cancelled.forEach((row, index) => {
    const { streamId, version } = places[index] as (typeof places)[number];
    const own = appended.find(({ record }) => record.streamId === streamId && record.version === version)?.content;
    const content = (own ?? stored[index]) as { externalId: string } | null | undefined;
    row.sealedRun = content ? ring.seal(runPlace(row), content.externalId) : null;
  });
}

/** The run's id as it was sealed; null if it was gone before it could be. */
export const openRunId = (row: { jobId: string; ref: string; sealedRun: Buffer | null }, ring: KeyRing): string | null =>
  row.sealedRun && ring.unseal(runPlace(row), row.sealedRun);

const runPlace = ({ jobId, ref }: { jobId: string; ref: string }): string => `${jobId}|cancel run|${ref}`;
