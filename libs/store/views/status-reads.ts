import type { Pool } from 'pg';
import { readSessionName, SESSION_PREFIX, type NamedProcess } from '../postgres/session-name';

/** A process of the service with sessions on this database. */
export interface SeenProcess extends NamedProcess {
  /** Null if the server hides it from this role. */
  host: string | null;
  sessions: number;
  /** It takes nothing new and finishes its current work. */
  isLeaving: boolean;
}

/** What the server reports about itself. */
export interface DatabaseServerState {
  version: string;
  isReadOnly: boolean;
  sessions: number;
  maxSessions: number;
}

/** A standby, and how far its copy is behind; null where the server does not show it to this role, or nothing is behind. */
export interface Standby {
  name: string;
  state: string | null;
  lagSeconds: number | null;
}

/** A count of events of one kind. `of` is a provider, `reason` the class of a failure or why a job ended. */
export interface RecentCount {
  type: string;
  of: string;
  reason: string;
  count: number;
}

export interface RecentEvents {
  counts: RecentCount[];
  /** The period of the events examined: an hour, or less if there were too many. */
  seconds: number;
}

/** Limit for the newest events examined, so that the answer is quick on a busy service too. */
const MAX_EVENTS = 100_000;

const SESSIONS = `
  select application_name as name, host(client_addr) as host, count(*)::int as sessions from pg_stat_activity
    where datname = current_database() and starts_with(application_name, '${SESSION_PREFIX}') group by 1, 2 order by 1`;

const SERVER = `
  select current_setting('server_version') as version, current_setting('transaction_read_only') = 'on' as "isReadOnly",
    (select sum(numbackends)::int from pg_stat_database) as sessions, current_setting('max_connections')::int as "maxSessions"`;

const STANDBYS = `
  select application_name as name, state, extract(epoch from replay_lag)::float8 as "lagSeconds" from pg_stat_replication order by 1`;

const FIRST_EVENT = `
  select extract(epoch from statement_timestamp() - appended_at)::float8 as age from event order by position limit 1`;

/** Counts events of the types that say how steps and jobs ended. The provider of a step is in its job's row. A late result has no reason. */
const RECENT = `
  with newest as materialized (
      select position, appended_at from event order by position desc limit 1 offset $1),
    recent as materialized (
      select stream_id, type, facts from event
        where position > coalesce((select position from newest), 0) and appended_at > statement_timestamp() - interval '1 hour'
        and type in ('StepCompleted', 'StepFailed', 'StepAttemptLost', 'StepResultLate', 'StepSkipped', 'DeadlineReached', 'SynthesisAttemptLost',
          'JobRequested', 'JobCompleted', 'JobFailed', 'JobCancelled')),
    counted as (
      select type, coalesce(facts->>'stepId', '') as step_id, stream_id,
          coalesce(facts->>'failure', facts->>'reason', facts->>'phase', case when type = 'StepResultLate' and exists (
            select from event as final where final.stream_id = recent.stream_id and final.type = 'JobCancelled') then 'cancelled' end, '') as reason
        from recent)
  select type, reason, coalesce(step.provider, '') as of, count(*)::int as count,
      coalesce((select least(3600, extract(epoch from statement_timestamp() - appended_at)) from newest), 3600)::int as seconds
    from counted left join lateral (
      select each->>'provider' as provider from job, jsonb_array_elements(job.steps) as each
        where job.id = counted.stream_id and counted.step_id <> '' and each->>'id' = counted.step_id limit 1) as step on true
    group by type, reason, of order by type, count desc`;

/** The processes that have sessions, by the name that they gave them. */
export async function seenProcesses(pool: Pool): Promise<SeenProcess[]> {
  const { rows } = await pool.query<{ name: string; host: string | null; sessions: number }>(SESSIONS);
  const named = rows.flatMap(({ name, host, sessions }) => {
    const process = readSessionName(name);
    return process ? [{ ...process, host, sessions }] : [];
  });
  return [...Map.groupBy(named, ({ instance, host }) => `${instance} ${host}`).values()].map((sessions) => ({
    ...(sessions[0] as SeenProcess),
    sessions: sessions.reduce((sum, each) => sum + each.sessions, 0),
    isLeaving: sessions.some(({ isLeaving }) => isLeaving),
  }));
}

export async function serverState(pool: Pool): Promise<DatabaseServerState> {
  return (await pool.query<DatabaseServerState>(SERVER)).rows[0] as DatabaseServerState;
}

/** The age of the oldest event that is there, in seconds; null if there is none. */
export async function firstEventAge(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ age: number }>(FIRST_EVENT);
  return rows[0]?.age ?? null;
}

export const standbys = async (pool: Pool): Promise<Standby[]> => (await pool.query<Standby>(STANDBYS)).rows;

/** The outcomes of steps and jobs in the last hour. */
export async function recentEvents(pool: Pool): Promise<RecentEvents> {
  const { rows } = await pool.query<RecentCount & { seconds: number }>(RECENT, [MAX_EVENTS]);
  const counts = rows.map(({ type, of, reason, count }) => ({ type, of, reason, count }));
  return { counts, seconds: rows[0]?.seconds ?? 3600 };
}
