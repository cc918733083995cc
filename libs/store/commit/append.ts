import type { Pool } from 'pg';
import type { JobLimits } from '@lib/domain/limits';
import { byteaArray, int4Array, int8Array, textArray } from '../postgres/array-parameter';
import type { RecordedRequest } from '../requests/idempotent-requests';
import { appendStatement, NAMES, WITH_LIMITS, WITH_REQUESTS, WITH_RESERVATIONS } from './append-statement';
import type { TableWrite } from './table-write';
import { TABLE_WRITES } from './table-writes';
import type { OfThread, Writes } from './writes';

/**
 * Why nothing was written for a thread. `moved`: another process has changed a stream. `locked`: somebody else holds a row. `deleted`: its key is
 * gone. `beyond`: a limit has no room for one of its jobs. `unfunded`: a balance does not cover one of them.
 */
export type SetAside = 'moved' | 'locked' | 'deleted' | 'beyond' | 'unfunded';

/** Why a request was not recorded: another process is about to record it, or it was recorded before. */
export type NotRecorded = 'under way' | 'repeated';

export interface Appended {
  /** When the statement arrived, by the database's clock. */
  arrivedAt: Date;
  /** By the thread's index. Nothing was written for these threads, and everything for the others. */
  setAside: ReadonlyMap<number, SetAside>;
  /** Steps that wait for their turn, as `job/ref`. */
  waiting: ReadonlySet<string>;
  notRecorded: ReadonlyMap<RecordedRequest, NotRecorded>;
  /** By the job that asked for more: the remaining balance, in cents. */
  balances: ReadonlyMap<string, number>;
  /** By the job that exceeds a limit: the limit, and how much of it is used. */
  beyond: ReadonlyMap<string, BeyondLimit>;
  /** By the new job: the possible cost of the day's jobs, if its tenant or key asked for a warning at this level. */
  near: ReadonlyMap<string, readonly NearLimit[]>;
}

/** A limit that has no room for a job. If both the tenant's and the key's are exceeded, it is the tenant's. */
export interface BeyondLimit {
  limits: JobLimits;
  byCents: boolean;
  used: number;
  /** Limits are checked before balances, so what is used may include a job of the same statement that its tenant's balance does not cover. */
  mayFit: boolean;
}

interface NearLimit {
  keyId: string | null;
  cents: number;
}

/** Threads set aside are given by their indexes, jobs and requests by their positions in the parameters, from 1. */
interface Answer extends Record<Exclude<SetAside, 'unfunded' | 'beyond'>, number[]> {
  arrived: Date;
  waiting: string[] | null;
  unfunded?: number[];
  beyond?: number[];
  /** Positions of requests. */
  under_way?: number[];
  repeated?: number[];
  /** Positions of reservations that a balance does not cover, and the remaining balances. */
  refused?: number[];
  balances?: number[];
  /** Positions of jobs that exceed a limit, whether it is the limit in cents, and how much of it is used. */
  refused_jobs?: number[];
  by_cents?: boolean[];
  used?: number[];
  /** Positions of jobs to warn about, and the possible cost of the jobs of their day. */
  near?: number[];
  near_cents?: number[];
}

/**
 * Commits the writes in one statement: for each thread all of them or none.
 * @param answerBy by the database's clock. A statement that arrives later does nothing, since nobody waits for it any more
 */
export async function append(pool: Pool, writes: Writes, answerBy: Date | null): Promise<Appended> {
  const { requests, reservations, limitedJobs } = writes;
  let mask = (requests.length > 0 ? WITH_REQUESTS : 0) | (reservations.length > 0 ? WITH_RESERVATIONS : 0);
  if (limitedJobs.length > 0) mask |= WITH_LIMITS;
  const values: unknown[] = [answerBy, ...locksOf(writes)];
  if (requests.length > 0) values.push(...recordsOf(requests));
  if (limitedJobs.length > 0) values.push(...limitsOf(limitedJobs));
  if (reservations.length > 0) values.push(...reservationsOf(reservations));
  NAMES.forEach((name, index) => {
    const { key, columns } = TABLE_WRITES[name] as unknown as TableWrite<OfThread>;
    const rows = sorted<OfThread>(writes[name], key);
    if (rows.length === 0) return;
    mask |= 1 << index;
    for (const { encode } of columns) values.push(encode(rows));
    values.push(int4Array(rows.map(({ threadIndex }) => threadIndex)));
  });
  const { rows } = await pool.query<Answer>({ name: `append_${mask}`, text: appendStatement(mask), values });
  return appendedIn((rows as [Answer])[0], writes);
}

function appendedIn(answer: Answer, { requests, reservations, limitedJobs }: Writes): Appended {
  const { arrived, waiting, under_way: underWay = [], repeated = [], refused = [], balances = [] } = answer;
  const aside = { ...answer, unfunded: answer.unfunded ?? [], beyond: answer.beyond ?? [] };
  const reasons: SetAside[] = ['moved', 'locked', 'deleted', 'beyond', 'unfunded'];
  const setAside = new Map(reasons.flatMap((reason) => aside[reason].map((index) => [index, reason])));
  const requestsAt = (places: number[], why: NotRecorded) => places.map((place) => [requestAt(requests, place), why] as const);
  const notRecorded = new Map([...requestsAt(underWay, 'under way'), ...requestsAt(repeated, 'repeated')]);
  const jobAt = (place: number): string => (reservations[place - 1] as Writes['reservations'][number]).jobId;
  const balanceOf = new Map(refused.map((place, index) => [jobAt(place), balances[index] as number]));
  return {
    arrivedAt: arrived,
    setAside,
    waiting: new Set(waiting),
    notRecorded,
    balances: balanceOf,
    ...limitsIn(answer, { reservations, limitedJobs }),
  };
}

function limitsIn(
  answer: Answer,
  { reservations, limitedJobs: jobs }: Pick<Writes, 'reservations' | 'limitedJobs'>,
): Pick<Appended, 'beyond' | 'near'> {
  const { refused_jobs: refused = [], by_cents: byCents = [], used = [], near = [], near_cents: nearCents = [] } = answer;
  const at = (place: number) => jobs[place - 1] as Writes['limitedJobs'][number];
  const beyond = new Map<string, BeyondLimit>();
  const unfunded = new Set(answer.unfunded);
  const poor = new Set(reservations.flatMap(({ tenantId, threadIndex }) => (unfunded.has(threadIndex) ? [tenantId] : [])));
  refused.forEach((place, index) => {
    const limits = at(place);
    const found = { limits, byCents: byCents[index] === true, used: used[index] as number, mayFit: poor.has(limits.tenantId) };
    if (!beyond.has(limits.jobId)) beyond.set(limits.jobId, found);
  });
  const told = near.map((place, index) => ({ ...at(place), cents: nearCents[index] as number }));
  return { beyond, near: Map.groupBy(told, ({ jobId }) => jobId) };
}

const limitsOf = (rows: Writes['limitedJobs']): Buffer[] => [
  textArray(rows.map(({ tenantId }) => tenantId)),
  textArray(rows.map(({ keyId }) => keyId ?? '')),
  int8Array(rows.map(({ cents }) => cents)),
  int4Array(rows.map(({ openJobs }) => openJobs)),
  int8Array(rows.map(({ dailyCents }) => dailyCents)),
  int8Array(rows.map(({ warningCents }) => warningCents)),
  int4Array(rows.map(({ threadIndex }) => threadIndex)),
];

const requestAt = (requests: Writes['requests'], place: number): RecordedRequest =>
  (requests[place - 1] as Writes['requests'][number]).request;

const recordsOf = (rows: Writes['requests']): Buffer[] => [
  byteaArray(rows.map(({ digests }) => digests.digest)),
  byteaArray(rows.map(({ digests }) => digests.bodyDigest)),
  textArray(rows.map(({ request }) => request.streamId)),
  int4Array(rows.map(({ version }) => version)),
  int4Array(rows.map(({ threadIndex }) => threadIndex)),
];

const reservationsOf = (rows: Writes['reservations']): Buffer[] => [
  textArray(rows.map(({ tenantId }) => tenantId)),
  textArray(rows.map(({ id }) => id)),
  textArray(rows.map(({ jobId }) => jobId)),
  int8Array(rows.map(({ reservedCents }) => reservedCents)),
  int8Array(rows.map(({ at }) => Date.parse(at))),
  int4Array(rows.map(({ threadIndex }) => threadIndex)),
];

/** The locks of the statement, in the order in which every process locks, so that no two wait for each other. */
function locksOf(writes: Writes): Buffer[] {
  const streams = sorted(writes.streams, ({ streamId }) => streamId);
  const held = sorted(writes.heldThreads, ({ threadId }) => threadId);
  const entries = sorted(writes.agendaRemoved, TABLE_WRITES.agendaRemoved.key);
  const indexes = (rows: readonly OfThread[]) => int4Array(rows.map(({ threadIndex }) => threadIndex));
  return [
    textArray(streams.map(({ streamId }) => streamId)),
    int4Array(streams.map(({ version }) => version)),
    byteaArray(streams.map(({ hash }) => hash)),
    indexes(streams),
    textArray(held.map(({ threadId }) => threadId)),
    indexes(held),
    textArray(entries.map(({ jobId }) => jobId)),
    textArray(entries.map(({ kind }) => kind)),
    textArray(entries.map(({ ref }) => ref)),
    indexes(entries),
  ];
}

function sorted<Row>(rows: readonly Row[], key: (row: Row) => string): readonly Row[] {
  if (rows.length < 2) return rows;
  const keyed = rows.map((row) => ({ row, key: key(row) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ row }) => row);
}
