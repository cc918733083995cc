import type { Pool } from 'pg';
import { boundedCache, type Cache } from '@lib/memory/bounded-cache';
import type { BudgetTier, JobStatus } from '@lib/domain/vocabulary';
import { jobStateIn } from '../history/aggregates';
import { CorruptHistory } from '../history/corrupt-history';
import { replay } from '../history/load';
import { UnknownEvent } from '../history/upcasters';
import type { Contents } from '../sealing/contents';
import { ownCopy } from '../sealing/own-copy';
import { documentPlace, Unsealable, unsealBytes } from '../sealing/seal';
import type { ThreadKeys } from '../sealing/thread-keys';
import { jobDocument } from './job-document';
import { openJobDocument } from './open-job-document';

/** A job's row, as its answer is made of it. */
export interface JobDocumentRow {
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

/** A job as JSON in UTF-8, as it was at a version. */
interface Answer {
  version: number;
  json: Buffer;
}

/** Bound of the answers that are remembered: finished jobs are read again, and open ones are polled. */
const REMEMBERED_BYTES = 16 * 1024 * 1024;
/** Memory of an answer beside its bytes. */
const ANSWER_BYTES = 300;

export interface AnswerSources {
  pool: Pool;
  keys: ThreadKeys;
  contents: Contents;
  /** How long an answer is cached. */
  ttlMs: number;
}

/** Why a job cannot be shown: its content or history was changed, or only a newer build can read it. */
export type Unopened = Unsealable | CorruptHistory | UnknownEvent;
export const isUnopened = (answer: unknown): answer is Unopened =>
  answer instanceof Unsealable || answer instanceof CorruptHistory || answer instanceof UnknownEvent;

/** The answers to reads of jobs, cached by version, so that each is opened and rendered only once. */
export class JobAnswers {
  private readonly answers: Cache<Answer>;

  constructor(private readonly sources: AnswerSources) {
    const bytesOf = ({ json }: Answer) => json.length + ANSWER_BYTES;
    this.answers = boundedCache<Answer>({ name: 'job answers', maxBytes: REMEMBERED_BYTES, bytesOf, ttlMs: sources.ttlMs });
  }

  get(jobId: string): Answer | undefined {
    return this.answers.get(jobId);
  }

  forget(jobId: string): void {
    this.answers.delete(jobId);
  }

  /** A job that cannot be opened does not affect the others of its batch. */
  async of(row: JobDocumentRow, made: Answer | undefined): Promise<Buffer | null | Unopened> {
    if (made?.version === row.version) return made.json;
    try {
      const opened = await this.open(row);
      if (!opened) return null;
      const json = ownCopy(opened);
      this.answers.set(row.id, { version: row.version, json });
      // Its document says everything.
      if (row.is_final) this.sources.contents.forget(row.id);
      return json;
    } catch (error) {
      if (!isUnopened(error)) throw error;
      return error instanceof Unsealable ? new Unsealable(error.message, row.id, { cause: error }) : error;
    }
  }

  private async open(row: JobDocumentRow): Promise<Buffer | null> {
    const { pool, keys, contents } = this.sources;
    if (row.document) return openDocument(row, row.document, keys);
    return row.is_final ? finalJob(row, pool, contents) : openJob(row, contents);
  }
}

async function openDocument({ id, thread_id: threadId }: JobDocumentRow, document: Buffer, keys: ThreadKeys): Promise<Buffer | null> {
  const key = (await keys.read([threadId])).get(threadId);
  return key ? unsealBytes(key, documentPlace(id), document) : null;
}

/** The document of a job that ended while its content could not be opened: none was stored then, so it is made now. */
async function finalJob({ id, thread_id: threadId }: JobDocumentRow, pool: Pool, contents: Contents): Promise<Buffer | null> {
  const state = jobStateIn((await replay(pool, [id])).get(id));
  const document = await jobDocument(id, state, contents.ofJob(id, threadId));
  return document && Buffer.from(JSON.stringify(document));
}

/** An open job is made from its row and the question in its first event. */
async function openJob(row: JobDocumentRow, contents: Contents): Promise<Buffer | null> {
  const question = await contents.ofJob(row.id, row.thread_id).question();
  if (question === null) return null;
  const { id, thread_id: threadId, status, budget_tier: budgetTier, budget_cap_cents: budgetCapCents, created_at: createdAt } = row;
  const facts = { threadId, status, budgetTier, budgetCapCents, createdAt: createdAt.toISOString() };
  return Buffer.from(JSON.stringify(openJobDocument(id, facts, question)));
}
