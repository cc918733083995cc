import type { Fault } from '@lib/audit/audited-event';
import { linkFault } from '@lib/audit/compare-links';
import { StreamAudit, type Links } from '@lib/audit/stream-audit';
import { auditedEvents, auditedStreams, erasuresOf, jobsNamedBy, threadsNamedBy, type AuditScope } from '@lib/store/history/audit-reads';
import { oneAhead } from '@lib/batching/one-ahead';
import { UnknownEvent, upcast } from '@lib/store/history/upcasters';
import type { Pool } from '@lib/store/postgres/pool';

/** What was looked at so far. */
export interface Looked {
  streams: number;
  events: number;
  /** Everything up to this stream was verified: a later run can continue after it. */
  last: string;
  /** The first fault of each stream. */
  faults: Fault[];
  /** Streams with events of a newer build, which this build cannot judge. */
  unknown: { streamId: string; why: string }[];
}

/**
 * Looks at every history of the scope: chain, digests, protocol, money, and that threads and jobs name each other. It only reads, needs no secret,
 * and may run beside the service. A stream that looks wrong is read again, because an erasure may have happened during the first read.
 */
export async function verifyHistories(pool: Pool, scope: AuditScope, progress: (looked: Looked) => void): Promise<Looked> {
  const looked: Looked = { streams: 0, events: 0, last: scope.after ?? '', faults: [], unknown: [] };
  for await (const { streamIds, found } of oneAhead(looksAt(pool, scope))) {
    const { faults, unknown, events } = await found;
    looked.streams += streamIds.length;
    looked.events += events;
    looked.unknown.push(...unknown);
    for (const { streamId } of faults) {
      const again = await verifyStreams(pool, [streamId]);
      looked.faults.push(...again.faults);
      looked.unknown.push(...again.unknown);
    }
    looked.last = streamIds.at(-1) ?? looked.last;
    progress(looked);
  }
  return looked;
}

/** The database reads the next histories while the process verifies the previous ones. */
async function* looksAt(pool: Pool, scope: AuditScope) {
  for await (const streamIds of auditedStreams(pool, scope)) {
    const found = verifyStreams(pool, streamIds);
    found.catch(() => undefined);
    yield { streamIds, found };
  }
}

async function verifyStreams(pool: Pool, streamIds: readonly string[]): Promise<Pick<Looked, 'events' | 'faults' | 'unknown'>> {
  const found = { events: 0, faults: [] as Fault[], unknown: [] as Looked['unknown'] };
  const links = new Map<string, Links>();
  // Streams come one after the other: of one that has ended only its links are kept.
  let audit: StreamAudit | undefined;
  /** The stream whose further events cannot be read. */
  let unreadable = '';
  const end = (ended: StreamAudit | undefined): void => {
    const fault = ended?.end();
    if (fault) found.faults.push(fault);
    else if (ended) links.set(ended.streamId, ended.links());
  };
  for await (const event of auditedEvents(pool, streamIds)) {
    found.events += 1;
    const { streamId } = event;
    if (unreadable === streamId) continue;
    if (audit?.streamId !== streamId) {
      end(audit);
      audit = new StreamAudit(streamId, upcast);
    }
    try {
      audit.take(event);
    } catch (error) {
      if (error instanceof UnknownEvent) found.unknown.push({ streamId, why: error.message });
      else found.faults.push({ streamId, version: event.version, field: 'facts', what: `cannot be read: ${String(error)}` });
      audit = undefined;
      unreadable = streamId;
    }
  }
  end(audit);
  return { ...found, faults: [...found.faults, ...(await linkFaults(pool, [...links]))] };
}

async function linkFaults(pool: Pool, links: readonly [string, Links][]): Promise<Fault[]> {
  const jobs = links.filter(([, { threadId }]) => threadId !== null);
  const threads = links.filter(([, { threadId }]) => threadId === null);
  const threadIds = [...new Set(jobs.flatMap(([, { threadId }]) => threadId ?? []))];
  const others = {
    threads: await threadsNamedBy(
      pool,
      threadIds,
      jobs.map(([jobId]) => jobId),
    ),
    jobs: await jobsNamedBy(
      pool,
      threads.flatMap(([, { jobs: named }]) => [...named.keys()]),
    ),
    ...(await erasuresOf(
      pool,
      threads.map(([threadId]) => threadId),
    )),
  };
  return links.flatMap(([streamId, own]) => linkFault(streamId, own, others) ?? []);
}
