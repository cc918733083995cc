import type { Fault } from './audited-event';
import type { Links } from './stream-audit';

/** What the database says about the other end of each link. */
export interface OtherEnds {
  /** The threads that jobs name: their tenant, whether they are deleted, and the jobs that they name, with the parent of each. */
  threads: ReadonlyMap<string, { tenantId: unknown; isDeleted: boolean; jobs: ReadonlyMap<string, { parentJobId: unknown }> }>;
  /** The jobs that threads name. */
  jobs: ReadonlyMap<string, { threadId: unknown; isSealed: boolean; isErased: boolean }>;
  /** The tenant in the row of each thread's key that exists, null in rows of earlier builds; null if nothing is known about keys. */
  keys: ReadonlyMap<string, string | null> | null;
  /** Threads whose erasure is still under way. */
  beingErased: ReadonlySet<string>;
}

/** @returns where a job and its thread, which name each other, disagree, or null */
export function linkFault(streamId: string, links: Links, others: OtherEnds): Fault | null {
  return links.threadId === null ? threadFault(streamId, links, others) : jobFault(streamId, links.threadId, links, others);
}

function jobFault(streamId: string, threadId: string, links: Links, others: OtherEnds): Fault | null {
  const fault = (field: string, what: string): Fault => ({ streamId, version: 1, field, what });
  const thread = others.threads.get(threadId);
  if (!thread) return fault('facts.threadId', `the thread ${threadId} has no history`);
  const named = thread.jobs.get(streamId);
  if (!named) return fault('facts.threadId', `the thread ${threadId} does not name this job`);
  if (thread.tenantId !== links.tenantId) return fault('facts.tenantId', `the thread ${threadId} is of another tenant`);
  if (named.parentJobId !== links.parentJobId) return fault('facts.parentJobId', `the thread ${threadId} names another parent`);
  if (links.erasedAt !== null && !thread.isDeleted) {
    return { streamId, version: links.erasedAt, field: 'type', what: `the content was erased, and the thread ${threadId} is not deleted` };
  }
  if (links.erasedAt !== null && links.sealedAt !== null) {
    return {
      streamId,
      version: links.sealedAt,
      field: 'sealed',
      what: 'the content was erased according to the history, and is still there',
    };
  }
  return null;
}

function threadFault(streamId: string, links: Links, others: OtherEnds): Fault | null {
  const fault = (version: number | null, field: string, what: string): Fault => ({ streamId, version, field, what });
  const isErased = links.erasedAt !== null && !others.beingErased.has(streamId);
  for (const [jobId, version] of links.jobs) {
    const job = others.jobs.get(jobId);
    if (!job) return fault(version, 'facts.jobId', `the job ${jobId} has no history`);
    if (job.threadId !== streamId) return fault(version, 'facts.jobId', `the job ${jobId} names another thread`);
    if (isErased && (job.isSealed || !job.isErased))
      return fault(version, 'facts.jobId', `the thread was deleted, and the job ${jobId} was not erased`);
  }
  const hasKey = streamId.startsWith('thr_') ? (others.keys?.has(streamId) ?? null) : null;
  if (links.erasedAt !== null && hasKey === true) return fault(null, 'thread_key', 'the thread was deleted, and its key is still there');
  if (links.erasedAt === null && hasKey === false)
    return fault(null, 'thread_key', 'the thread has no key, so nobody can read it, and no event says that it was deleted');
  const keyTenant = others.keys?.get(streamId) ?? null;
  if (hasKey === true && keyTenant === null && links.namesTenant)
    return fault(null, 'thread_key.tenant_id', "the thread's key names no tenant, and the build that wrote it named one: it was removed");
  if (keyTenant !== null && keyTenant !== links.tenantId)
    return fault(null, 'thread_key.tenant_id', "the thread's key is of another tenant");
  if (isErased && links.sealedAt !== null) return fault(links.sealedAt, 'sealed', 'the thread was deleted, and its content is still there');
  return null;
}
