import type { JobStatus } from '@lib/domain/vocabulary';
import { batch } from '@lib/batching/batch';
import { int4Array, textArray } from '../postgres/array-parameter';
import { answeredInTime } from '../postgres/answer-within';
import { unlessUnsealable } from '../sealing/seal';
import { isUnopened, JobAnswers, type AnswerSources, type JobDocumentRow, type Unopened } from './job-answers';

/** Leaves out the document of a job if the caller already has the answer for that version. */
const READ = {
  name: 'jobs',
  text: `select job.id, job.tenant_id, thread_id, job.version, status, budget_tier, budget_cap_cents, job.created_at, completed_at is not null as is_final,
      case when job.version = made then null else document end as document
    from unnest($1::text[], $2::int[]) as asked (id, made) join job on job.id = asked.id join thread on thread.id = job.thread_id`,
};

export interface JobPlace {
  tenantId: string;
  threadId: string;
  jobId: string;
  /** The version the caller already has, whose answer it does not need again. */
  knownVersion?: number | undefined;
}

/** A job as it stands. */
export interface JobRead {
  version: number;
  status: JobStatus;
  createdAt: Date;
  /** The `JobView` as JSON in UTF-8; null at the version that the asker has. */
  json: Buffer | null;
}

type ReadJob = (place: JobPlace) => Promise<JobRead | null>;

/**
 * Reads jobs by id; requests waiting at the same time share a statement. The row is read every time, because it tells whether the job still exists,
 * its owner, and its version.
 */
export function createJobReads(sources: AnswerSources): { read: ReadJob; forget: (jobId: string) => void } {
  const { pool, keys } = sources;
  const answers = new JobAnswers(sources);

  const readTogether = async (places: JobPlace[]): Promise<(JobRead | null | Unopened)[]> => {
    const asked = Map.groupBy(places, ({ jobId }) => jobId);
    const made = new Map([...asked.keys()].map((jobId) => [jobId, answers.get(jobId)]));
    const versions = [...asked].map(([jobId, askers]) => made.get(jobId)?.version ?? versionKnownTo(askers));
    const { rows } = await pool.query<JobDocumentRow>({ ...READ, values: [textArray([...made.keys()]), int4Array(versions)] });
    // All rows are opened together; each reader then finds its own answer, or why it cannot be opened.
    await keys.read(rows.flatMap(({ document, thread_id: threadId }) => (document ? [threadId] : []))).catch(unlessUnsealable);
    const isNeeded = ({ id, version }: JobDocumentRow) => asked.get(id)?.some(({ knownVersion }) => knownVersion !== version);
    const found = await Promise.all(
      rows.map(async (row) => ({ row, json: isNeeded(row) ? await answers.of(row, made.get(row.id)) : null })),
    );
    const byId = new Map(found.map((job) => [job.row.id, job]));
    return places.map(({ tenantId, threadId, jobId, knownVersion }) => {
      const { row, json } = byId.get(jobId) ?? {};
      if (row?.tenant_id !== tenantId || row.thread_id !== threadId) return null;
      const { version, status, created_at: createdAt } = row;
      if (version === knownVersion) return { version, status, createdAt, json: null };
      if (!json || isUnopened(json)) return json ?? null;
      return { version, status, createdAt, json };
    });
  };

  const read = batch(readTogether, { maxItems: 64, width: 2, ...answeredInTime });
  return {
    read: async (place) => {
      const answer = await read(place);
      if (isUnopened(answer)) throw answer;
      return answer;
    },
    forget: (jobId) => answers.forget(jobId),
  };
}

/** 0 unless all of them have the same one. */
function versionKnownTo([first, ...others]: readonly JobPlace[]): number {
  const known = first?.knownVersion ?? 0;
  return others.every(({ knownVersion }) => knownVersion === known) ? known : 0;
}
