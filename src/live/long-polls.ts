import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { isFinalStatus } from '@lib/domain/vocabulary';
import type { FoundJob } from '@lib/store/views/job-places';
import { Reader } from '@lib/store/views/reader';
import { invalidKey } from '../access/logins';
import { insufficientScope } from '../access/require-scope';
import type { Caller } from '../access/caller';
import { knownTags, knownVersion } from '../api/conditional';
import { JobChanges } from './job-changes';
import type { WaitEnd } from './waiters';
import { preferredWait } from './prefer';
import { SharedReads } from './shared-reads';

interface Answered<Read> {
  jobId: string;
  /** The thread that the client says it is in, if it says one. */
  threadId?: string;
  /** The tag of the answer at a version. */
  tagOf: (version: number) => string;
  /** @param known the version that the client already has, and need not get again */
  read: (known?: number) => Promise<Read>;
}

/** How a wait ended; null if its time ran out. */
type Outcome<Read> = { answer: Promise<Read> } | WaitEnd | null;

/** Long polling: lets a client that prefers it wait for its answer, instead of asking repeatedly. */
@Injectable()
export class LongPolls {
  constructor(
    private readonly reader: Reader,
    private readonly changes: JobChanges,
  ) {}

  /**
   * Answers at once, unless the client prefers to wait. Then it answers when the job is final or differs from the version in `If-None-Match`, at the
   * latest after the client's preferred time. If no place is left, the client gets its answer at once.
   * @throws Problem invalid_api_key if its key is revoked meanwhile, insufficient_scope if it may no longer read
   */
  answer<Read>(reply: FastifyReply, caller: Caller, job: Answered<Read>): Promise<Read> {
    const { headers, method } = reply.request;
    const seconds = preferredWait(headers.prefer);
    return seconds === null || method !== 'GET' ? answerNow(reply, job) : this.answerInTime(seconds, reply, caller, job);
  }

  private async answerInTime<Read>(seconds: number, reply: FastifyReply, caller: Caller, job: Answered<Read>): Promise<Read> {
    const outcome = await this.waitFor(seconds, reply, caller, job);
    if (outcome === 'key_revoked') throw invalidKey();
    if (outcome === 'scope_lost') throw insufficientScope('threads:read', 'this one has it no longer');
    return typeof outcome === 'object' && outcome !== null ? outcome.answer : answerNow(reply, job);
  }

  private async waitFor<Read>(seconds: number, reply: FastifyReply, caller: Caller, asked: Answered<Read>): Promise<Outcome<Read>> {
    // Its client hung up already, so no end would be heard that ends the wait.
    if (reply.raw.destroyed) return null;
    const { jobId, threadId, tagOf, read } = asked;
    const { tenantId, keyId } = caller;
    const { promise, resolve } = Promise.withResolvers<Outcome<Read>>();
    const over = () => resolve(null);
    const isThere = awaitedBy(reply, tagOf);
    const look = async (reads: SharedReads) => {
      const found = await reads.once(tenantId, 'place', () => this.reader.findJob(tenantId, jobId));
      // Under another thread there is no such job, now or later.
      const job = threadId === undefined || found?.threadId === threadId ? found : null;
      // Without a job there is no wait to confirm.
      if (job) reply.header('preference-applied', `wait=${seconds}`);
      if (watch && job) watch.version = job.version;
      if (job && !isThere(job)) return;
      const answer = reads.once(tenantId, questionOf(reply), () => read());
      resolve({ answer });
      // The client is answered with its own error before the next one has its turn.
      await answer.catch(() => undefined);
    };
    const watch = this.changes.watch({ tenantId, jobId, keyId, kind: 'long poll', look, end: resolve });
    if (!watch) return null;
    const timer = setTimeout(over, seconds * 1000);
    reply.raw.once('close', over);
    try {
      await look(new SharedReads());
      watch.rest();
      return await promise;
    } finally {
      clearTimeout(timer);
      reply.raw.off('close', over);
      watch.stop();
    }
  }
}

function answerNow<Read>({ request }: FastifyReply, { tagOf, read }: Answered<Read>): Promise<Read> {
  return read(knownVersion(request, tagOf));
}

/**
 * Identifies an answer by its question instead of its URL. Answers to one change are held until all clients have theirs, and one question has many
 * URLs.
 */
function questionOf({ request: { routeOptions, params, query } }: FastifyReply): string {
  return JSON.stringify([routeOptions.url, params, query]);
}

/** Whether a job has reached the state that the client waits for. */
function awaitedBy({ request }: FastifyReply, tagOf: Answered<unknown>['tagOf']): (job: FoundJob) => boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return ({ status }) => isFinalStatus(status);
  // A final job does not change any more.
  if (known.trim() !== '*') return ({ version, status }) => isFinalStatus(status) || !knownTags(request).includes(tagOf(version));
  let first: number | null = null;
  return ({ version, status }) => isFinalStatus(status) || (first ??= version) !== version;
}
