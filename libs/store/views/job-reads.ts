import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { boundedCache } from '@lib/memory/bounded-cache';
import type { BudgetTier, JobStatus } from '@lib/domain/vocabulary';
import { int4Array, textArray } from '../postgres/array-parameter';
import { answeredInTime } from '../postgres/answer-within';
import { jobStateIn } from '../history/aggregates';
import { CorruptHistory } from '../history/corrupt-history';
import { replay } from '../history/load';
import { UnknownEvent } from '../history/upcasters';
import type { Contents } from '../sealing/contents';
import { ownCopy } from '../sealing/own-copy';
import { documentPlace, Unsealable, unsealBytes, unlessUnsealable } from '../sealing/seal';
import type { ThreadKeys } from '../sealing/thread-keys';
import { jobDocument } from './job-document';
import { openJobDocument } from './open-job-document';

/** Without the document of a job whose answer the caller already has for that version. */
const READ = {
  name: 'jobs',
  text: `select job.id, job.tenant_id, thread_id, job.version, status, budget_tier, budget_cap_cents, job.created_at, completed_at is not null as is_final,
      case when job.version = made then null else document end as document
    from unnest($1::text[], $2::int[]) as asked (id, made) join job on job.id = asked.id join thread on thread.id = job.thread_id`,
};

interface Row {
  id: string;
  tenant_id: string;
  thread_id: string;
  version: number;
  status: JobStatus;
  budget_tier: BudgetTier;
  budget_cap_cents: number;
  created_at: Date;
  is_final: boolean;
  document: Buffer | null;
}

export interface JobPlace {
  tenantId: string;
  threadId: string;
  jobId: string;
  /** The version that the asker has, whose answer it does not need again. */
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

/** A job as JSON in UTF-8, as it was at a version. */
interface Answer {
  version: number;
  json: Buffer;
}

/** Bound of the answers that are remembered: finished jobs are read again, and open ones are polled. */
const REMEMBERED_BYTES = 16 * 1024 * 1024;
/** What an answer takes beside its bytes. */
const ANSWER_BYTES = 300;

interface Sources {
  pool: Pool;
  keys: ThreadKeys;
  contents: Contents;
  /** How long an answer is remembered. */
  ttlMs: number;
}

/** Why a job cannot be shown: its content or history was changed, or only a newer build can read it. */
type Unopened = Unsealable | CorruptHistory | UnknownEvent;
const isUnopened = (answer: unknown): answer is Unopened =>
  answer instanceof Unsealable || answer instanceof CorruptHistory || answer instanceof UnknownEvent;

type ReadJob = (place: JobPlace) => Promise<JobRead | null>;

/**
 * Reads jobs by id; requests that wait at the same time share a statement. The row is read every time: it says whether the job is still
 * there, whose it is, and which version it has. Answers are remembered by version, so that each is opened and made only once.
 */
export function createJobReads({ pool, keys, contents, ttlMs }: Sources): { read: ReadJob; forget: (jobId: string) => void } {
  const bytesOf = ({ json }: Answer) => json.length + ANSWER_BYTES;
  const answers = boundedCache<Answer>({ name: 'job answers', maxBytes: REMEMBERED_BYTES, bytesOf, ttlMs });

  const readTogether = async (places: JobPlace[]): Promise<(JobRead | null | Unopened)[]> => {
    const asked = Map.groupBy(places, ({ jobId }) => jobId);
    const made = new Map([...asked.keys()].map((jobId) => [jobId, answers.get(jobId)]));
    const versions = [...asked].map(([jobId, askers]) => made.get(jobId)?.version ?? versionKnownTo(askers));
    const { rows } = await pool.query<Row>({ ...READ, values: [textArray([...made.keys()]), int4Array(versions)] });
    // All rows are opened together; each reader then finds its own answer, or why it cannot be opened.
    await keys.read(rows.flatMap(({ document, thread_id: threadId }) => (document ? [threadId] : []))).catch(unlessUnsealable);
    const isNeeded = ({ id, version }: Row) => asked.get(id)?.some(({ knownVersion }) => knownVersion !== version);
    const found = await Promise.all(rows.map(async (row) => ({ row, json: isNeeded(row) ? await answerTo(row, made.get(row.id)) : null })));
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

  const open = async (row: Row): Promise<Buffer | null> => {
    if (row.document) return openDocument(row, row.document, keys);
    return row.is_final ? finalJob(row, pool, contents) : openJob(row, contents);
  };

  /** If a job cannot be opened, the others of its batch are opened all the same. */
  const answerTo = async (row: Row, made: Answer | undefined): Promise<Buffer | null | Unopened> => {
    if (made?.version === row.version) return made.json;
    try {
      const opened = await open(row);
      if (!opened) return null;
      const json = ownCopy(opened);
      answers.set(row.id, { version: row.version, json });
      // Its document says everything.
      if (row.is_final) contents.forget(row.id);
      return json;
    } catch (error) {
      if (!isUnopened(error)) throw error;
      return error instanceof Unsealable ? new Unsealable(error.message, row.id, { cause: error }) : error;
    }
  };

  const read = batch(readTogether, { maxItems: 64, width: 2, ...answeredInTime });
  return {
    read: async (place) => {
      const answer = await read(place);
      if (isUnopened(answer)) throw answer;
      return answer;
    },
    forget: (jobId) => void answers.delete(jobId),
  };
}

/** 0 unless all of them have the same one. */
function versionKnownTo([first, ...others]: readonly JobPlace[]): number {
  const known = first?.knownVersion ?? 0;
  return others.every(({ knownVersion }) => knownVersion === known) ? known : 0;
}

async function openDocument({ id, thread_id: threadId }: Row, document: Buffer, keys: ThreadKeys): Promise<Buffer | null> {
  const key = (await keys.read([threadId])).get(threadId);
  return key ? unsealBytes(key, documentPlace(id), document) : null;
}

/** The document of a job that ended while its content could not be opened: none was stored then, so it is made now. */
async function finalJob({ id, thread_id: threadId }: Row, pool: Pool, contents: Contents): Promise<Buffer | null> {
  const state = jobStateIn((await replay(pool, [id])).get(id));
  const document = await jobDocument(id, state, contents.ofJob(id, threadId));
  return document && Buffer.from(JSON.stringify(document));
}

/** An open job is made from its row and the question in its first event. */
async function openJob(row: Row, contents: Contents): Promise<Buffer | null> {
  const question = await contents.ofJob(row.id, row.thread_id).question();
  if (question === null) return null;
  const { id, thread_id: threadId, status, budget_tier: budgetTier, budget_cap_cents: budgetCapCents, created_at: createdAt } = row;
  const facts = { threadId, status, budgetTier, budgetCapCents, createdAt: createdAt.toISOString() };
  return Buffer.from(JSON.stringify(openJobDocument(id, facts, question)));
}
