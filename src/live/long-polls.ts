import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { isFinalStatus } from '@lib/domain/vocabulary';
import type { FoundJob } from '@lib/store/views/job-places';
import { Reader } from '@lib/store/views/reader';
import { invalidKey } from '../access/logins';
import type { Caller } from '../access/caller';
import { knownTags } from '../api/conditional';
import { JobChanges, type WaitEnd } from './job-changes';
import { preferredWait } from './prefer';

interface AwaitedJob {
  jobId: string;
  /** The tag of the answer at a version. */
  tagOf: (version: number) => string;
}

/** Lets a client that prefers so wait for its answer, instead of asking again and again. */
@Injectable()
export class LongPolls {
  constructor(
    private readonly reader: Reader,
    private readonly changes: JobChanges,
  ) {}

  /**
   * Waits until the job differs from what the client has, or without `If-None-Match` until it is final; at most for as long as the client prefers.
   * A client for which there is no room does not wait.
   * @throws Problem invalid_api_key if its key is revoked meanwhile
   */
  wait(reply: FastifyReply, caller: Caller, job: AwaitedJob): Promise<void> | undefined {
    const { headers, method } = reply.request;
    const seconds = preferredWait(headers.prefer);
    return seconds === null || method !== 'GET' ? undefined : this.waitFor(seconds, reply, caller, job);
  }

  private async waitFor(seconds: number, reply: FastifyReply, caller: Caller, { jobId, tagOf }: AwaitedJob): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<WaitEnd | null>();
    const over = () => resolve(null);
    const isThere = awaitedBy(reply, tagOf);
    const look = async () => {
      const job = await this.reader.findJob(caller.tenantId, jobId);
      if (watch && job) watch.version = job.version;
      if (job === null || isThere(job)) over();
    };
    const watch = this.changes.watch({ jobId, keyId: caller.keyId, kind: 'long poll', look, end: resolve });
    if (!watch) return;
    reply.header('preference-applied', `wait=${seconds}`);
    const timer = setTimeout(over, seconds * 1000);
    reply.raw.once('close', over);
    try {
      await look();
      watch.rest();
      if ((await promise) === 'key_revoked') throw invalidKey();
    } finally {
      clearTimeout(timer);
      reply.raw.off('close', over);
      watch.stop();
    }
  }
}

/** Whether a job is as the client waits for it. */
function awaitedBy({ request }: FastifyReply, tagOf: AwaitedJob['tagOf']): (job: FoundJob) => boolean {
  const known = request.headers['if-none-match'];
  if (known === undefined) return ({ status }) => isFinalStatus(status);
  if (known.trim() !== '*') return ({ version }) => !knownTags(request).includes(tagOf(version));
  let first: number | null = null;
  return ({ version }) => (first ??= version) !== version;
}
