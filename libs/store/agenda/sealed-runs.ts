import { jobStateIn, type Stream } from '../history/aggregates';
import type { AgendaRow } from '../commit/writes';
import type { Contents, Uncommitted } from '../sealing/contents';
import type { KeyRing } from '../sealing/key-ring';

/** Gives each row that cancels a run the run's id, sealed so that it outlives the thread. The id stands in the event that recorded it. */
export async function sealRuns(
  rows: readonly AgendaRow[],
  streams: ReadonlyMap<string, Stream>,
  uncommitted: Uncommitted,
  contents: Contents,
  ring: KeyRing,
): Promise<void> {
  const cancelled = rows.filter(({ kind }) => kind === 'cancel run');
  const seal = async (row: AgendaRow): Promise<void> => {
    const { threadId, steps } = jobStateIn(streams.get(row.jobId));
    const run = steps.find(({ stepId }) => stepId === row.stepId)?.runs.find((other) => other.run === row.run);
    const externalId = run ? await contents.ofJob(row.jobId, threadId, uncommitted).externalId(run) : null;
    row.sealedRun = externalId === null ? null : ring.seal(runPlace(row), externalId);
  };
  await Promise.all(cancelled.map(seal));
}

/** The run's id as it was sealed; null if it was gone before it could be. */
export const openRunId = (row: { jobId: string; ref: string; sealedRun: Buffer | null }, ring: KeyRing): string | null =>
  row.sealedRun && ring.unseal(runPlace(row), row.sealedRun);

const runPlace = ({ jobId, ref }: { jobId: string; ref: string }): string => `${jobId}|cancel run|${ref}`;
