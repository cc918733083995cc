import { setTimeout as delay } from 'node:timers/promises';
import { inTime } from '../../src/runtime/in-time';
import { audit } from '../support/auditor';
import { isJob, openJobs, type StoredRow } from '../support/histories';
import { entryOf } from '../support/logs';
import { illegalTransitions } from '../audit/illegal-transitions';
import type { Deployment } from './deployment';
import { unacknowledged } from './faults/brokers';
import { auditLog } from './log';
import type { Receiver } from './receiver';
import type { Workload } from './workload';

/** Of the customers. */
const TENANT = 'default';
/** After the last fault: longer than every deadline of a job, and every patience of a client of ours, one after the other. */
const QUIESCENCE_MS = 180_000;

export interface Verdict {
  violations: string[];
  histories: ReadonlyMap<string, StoredRow[]>;
  /** From the end of the last fault until nothing was open any more. */
  quietAfterMs: number;
  /** Of the log of all events. */
  checkpoints: number;
}

/** A look that takes longer is as good as none, and must not hold up the next. */
const ANSWER_MS = 10_000;

interface Parties {
  workload: Workload;
  receiver: Receiver;
}

/** Waits until everything that was begun has ended, then looks for whatever must never be. */
export async function reachVerdict(deployment: Deployment, { workload, receiver }: Parties, beganAt: Date): Promise<Verdict> {
  const { supervisor } = deployment;
  const { observations } = workload;
  const began = performance.now();
  receiver.isHealthy = true;
  const violations = await quiet(deployment, workload);
  const quietAfterMs = performance.now() - began;
  const { histories, faults } = await audit(supervisor, { accepted: observations.jobs, canaries: observations.canaries });
  const jobs = [...histories.values()].filter(isJob);
  observations.compareHistories(histories);
  const log = await auditLog(supervisor.pool);
  const found = {
    ...faults,
    'illegal transitions': jobs.flatMap(illegalTransitions),
    'runs charged twice': jobs.flatMap(chargedTwice),
    'times outside of the run': [...histories.values()].flat().flatMap((event) => outside(event, beganAt)),
    'rows of deleted threads': await remains(deployment),
    'made without being asked for': observations.unasked(histories, TENANT),
    webhooks: receiver.faults(histories),
    'the log': log.faults,
    'unhandled rejections': supervisor.logs.processesWith(({ reason }) => reason === 'unhandled_rejection'),
  };
  for (const [kind, all] of Object.entries(found))
    violations.push(...all.map((one) => `${kind}: ${typeof one === 'string' ? one : JSON.stringify(one)}`));
  return { violations: [...observations.violations, ...violations], histories, quietAfterMs, checkpoints: log.checkpoints };
}

async function quiet(deployment: Deployment, workload: Workload): Promise<string[]> {
  const { pool } = deployment.supervisor;
  const stuck: string[] = [];
  const deadline = performance.now() + QUIESCENCE_MS;
  const becomes = async (what: string, isQuiet: () => Promise<boolean>) => {
    while (!(await inTime(isQuiet(), ANSWER_MS).catch(() => false))) {
      if (performance.now() > deadline) return void stuck.push(`${what} ${QUIESCENCE_MS / 1000} s after the last fault`);
      await delay(100);
    }
  };
  let allLeft = false;
  void workload.finish().then(() => (allLeft = true));
  await becomes('some processes do not serve', async () => [...deployment.slots.values()].every(({ process }) => process?.isRunning));
  await becomes('customers still wait', async () => allLeft);
  workload.abandon();
  await becomes('jobs are open', async () => (await openJobs(pool)) === 0);
  await becomes('the agenda is not empty', async () => (await pool.query('select 1 from agenda limit 1')).rowCount === 0);
  await pool.query('update webhook_delivery set due_at = clock_timestamp() where due_at > clock_timestamp()').catch(() => undefined);
  await becomes('webhooks have not been told', async () => !(await isToBeTold(deployment)));
  let left: string[] = [];
  await becomes('work entries are not acknowledged', async () => (left = await unacknowledged(deployment)).length === 0);
  return [...stuck, ...left.map((entry) => `not acknowledged: ${entry}`)];
}

/** Whether something is to be delivered. For what failed the time until its next attempt passes. */
async function isToBeTold({ supervisor: { pool } }: Deployment): Promise<boolean> {
  await pool.query('update webhook_delivery set due_at = clock_timestamp() where due_at > clock_timestamp() and error is not null');
  return (await pool.query('select from webhook_delivery where due_at is not null limit 1')).rowCount !== 0;
}

/** Every run of a provider is settled once. */
function chargedTwice(history: readonly StoredRow[]): string[] {
  const charges = history.filter(({ facts }) => Number(facts.committedMicros) > 0 && facts.stepId !== undefined);
  const byRun = Map.groupBy(charges, ({ streamId, facts }) => `${streamId} ${String(facts.stepId)} run ${String(facts.run)}`);
  return [...byRun].filter(([, all]) => all.length > 1).map(([run]) => run);
}

const TOLERANCE_MS = 2_000;

/** Whatever clock a process has, an event's time is the database's. */
function outside({ streamId, version, type, meta }: StoredRow, beganAt: Date): string[] {
  const at = Date.parse(meta.occurredAt);
  const isInside = at >= beganAt.getTime() - TOLERANCE_MS && at <= Date.now() + TOLERANCE_MS;
  return isInside ? [] : [`${streamId}/${version} ${type} at ${meta.occurredAt}`];
}

async function remains({ supervisor: { pool } }: Deployment): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(`
    with gone as (select stream_id as id from event where type = 'ThreadDeleted')
    select 'key of ' || thread_id as row from thread_key where thread_id in (select id from gone)
    union all select 'thread ' || id from thread where id in (select id from gone)
    union all select 'message of ' || thread_id from message where thread_id in (select id from gone)
    union all select 'job ' || id from job where thread_id in (select id from gone)
    union all select 'sealed content of ' || stream_id from event where sealed is not null and (stream_id in (select id from gone)
      or stream_id in (select facts ->> 'jobId' from event as added where type = 'JobAdded' and added.stream_id in (select id from gone))
      or stream_id in (select request.stream_id from event as request where type = 'JobRequested' and facts ->> 'threadId' in (select id from gone)))`);
  return rows.map(({ row }) => row);
}

/** Reasons of what processes logged as errors, with how often. */
export function loggedErrors(deployment: Deployment): Map<string, number> {
  const reasons = deployment.supervisor.logs.lines
    .map(({ text }) => entryOf(text))
    .filter(({ level }) => level === 'error' || level === 'fatal');
  const counted = Map.groupBy(reasons, ({ reason }) => reason ?? 'another');
  return new Map([...counted].map(([reason, entries]) => [reason, entries.length]));
}
