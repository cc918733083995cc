import type { Pool } from 'pg';
import { findStep } from '@lib/domain/job/state';
import { jobStateIn, type Stream } from '../history/aggregates';
import type { AgendaRow } from '../commit/writes';
import type { Contents, Uncommitted } from '../sealing/contents';
import type { KeyRing } from '../sealing/key-ring';
import { unlessUnsealable } from '../sealing/seal';

const HELD = {
  name: 'agenda_held_run',
  text: `select sealed_run from agenda where job_id = $1 and kind = 'run' and ref = $2`,
};

interface Sources {
  pool: Pool;
  contents: Contents;
  ring: KeyRing;
}

/**
 * Puts into each row that cancels or keeps a run the run's id, sealed so that it outlives the thread. The id is read from the event that recorded it.
 * If the thread's key is gone or the event cannot be opened, it is copied from the row that has kept it.
 */
export async function sealRuns(
  rows: readonly AgendaRow[],
  streams: ReadonlyMap<string, Stream>,
  uncommitted: Uncommitted,
  { pool, contents, ring }: Sources,
): Promise<void> {
  const seal = async (row: AgendaRow): Promise<void> => {
    const state = jobStateIn(streams.get(row.jobId));
    const run = findStep(state, row.stepId)?.runs.find((other) => other.run === row.run);
    const externalId = run ? await contents.ofJob(row.jobId, state.threadId, uncommitted).externalId(run).catch(unlessUnsealable) : null;
    row.sealedRun = externalId === null ? await heldRun(row) : sealExternalId(row, externalId, ring);
  };
  const heldRun = async ({ jobId, ref }: AgendaRow): Promise<Buffer | null> => {
    const { rows: held } = await pool.query<{ sealed_run: Buffer | null }>({ ...HELD, values: [jobId, ref] });
    return held[0]?.sealed_run ?? null;
  };
  await Promise.all(rows.filter(({ kind }) => kind === 'cancel run' || kind === 'run').map(seal));
}

export const sealExternalId = (row: { jobId: string; ref: string }, externalId: string, ring: KeyRing): Buffer =>
  ring.seal(runPlace(row), externalId);

/** The run's id; null if it was erased before it could be sealed. */
export const openExternalId = (row: { jobId: string; ref: string; sealedRun: Buffer | null }, ring: KeyRing): string | null =>
  row.sealedRun && ring.unseal(runPlace(row), row.sealedRun);

export const runPlace = ({ jobId, ref }: { jobId: string; ref: string }): string => `${jobId}|cancel run|${ref}`;
