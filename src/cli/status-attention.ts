import { isWaitingStep } from '@lib/domain/job/agenda';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { lacking } from '../database';
import { JOB_ROLES, ROLES, type Role } from '../roles';
import type { Attention } from './attention';
import { notStarted, toLastHour } from './last-hour-attention';
import type { Status } from './status-answers';
import { toWebhooks } from './status-webhooks';

/** Parts that are legitimately absent in this deployment. */
interface Deployment {
  /** 0 if nothing is signed. */
  signsEveryMs: number;
  speaksNats: boolean;
}

/** As in the alert rules of k8s/components/monitoring. */
const OLDEST_WAITING_SECONDS = 600;
const OLDEST_CHECKPOINT_SECONDS = 3600;
/** The first checkpoint is due once the oldest event is as old as this many pauses between checkpoints. */
const PAUSES_BEFORE_FIRST = 2;
const PATIENT_KINDS = ['lease', 'job deadline', 'synthesis lease', 'dispatch synthesis'];
/** Share of the server's sessions in use beyond which the next process may get none. */
const FULL_SHARE = 0.9;

/** Most urgent first. */
export function attentionTo(status: Status, deployment: Deployment): Attention[] {
  return [
    ...toDatabase(status),
    ...toProcesses(status, deployment),
    ...toCutOff(status),
    ...toPaused(status),
    ...toWork(status),
    ...toUnserved(status),
    ...toLastHour(status.recent),
    ...toWebhooks(status.webhooks),
    ...toLog(status, deployment),
    ...toNotAsked(status),
  ];
}

function toDatabase({ server, pending }: Status): Attention[] {
  const found: Attention[] = [];
  if (pending && pending.length > 0)
    found.push({ what: `${lacking(pending)}: run \`research migrate\` with this build`, runbook: 'RoleMissing' });
  if (server?.isReadOnly)
    found.push({ what: 'the database takes no writes: it is a standby, or was made read-only', runbook: 'RequestErrorsFast' });
  if (server && server.sessions > FULL_SHARE * server.maxSessions)
    found.push({ what: `${server.sessions} of ${server.maxSessions} sessions of the database are in use`, runbook: 'DatabasePoolFull' });
  return found;
}

function toProcesses({ processes, workers, server, deliveries, notAsked }: Status, { speaksNats }: Deployment): Attention[] {
  const refused = notAsked.find(({ what }) => what === 'workers');
  const found: Attention[] = refused ? [{ what: `the workers could not be heard: ${refused.why}`, runbook: 'NatsDisconnected' }] : [];
  if (workers && workers.length > 0 && workers.every(({ drainsWith }) => drainsWith !== null))
    found.push({ what: 'every worker is drained: no step is taken', runbook: 'WorkNotTaken' });
  if (processes === null) return found;
  const there = rolesOf(processes);
  if (workers && workers.length > 0) there.add('worker');
  const needed: readonly Role[] = deliveries && deliveries.due > 0 ? ROLES : JOB_ROLES;
  const expected = needed.filter((role) => role !== 'worker' || (speaksNats && workers !== null));
  const unseen = expected.filter((role) => !there.has(role));
  // Workers are heard over NATS.
  const missing = server?.isReadOnly ? unseen.filter((role) => role === 'worker') : unseen;
  if (missing.length < unseen.length)
    found.push({
      what: 'which processes there are cannot be told: they keep no session while the database takes no writes',
      runbook: 'RequestErrorsFast',
    });
  if (missing.length > 0) found.push({ what: `no process of ${missing.join(', ')} is there`, runbook: 'RoleMissing' });
  return found;
}

/** As they say over NATS; the database shows the others alone. */
const toCutOff = ({ cutOff }: Status): Attention[] =>
  (cutOff ?? []).map(({ instance, roles }) => ({
    what: `the process ${instance.slice(0, 8)} (${roles.join(', ')}) cannot reach the database`,
    runbook: 'ProcessNotReady',
  }));

const toPaused = ({ paused }: Status): Attention[] =>
  (paused?.consumers ?? []).map(({ name, until }) => ({
    what: `the queue ${name} is paused until ${until}, so nothing of it is done: nats consumer resume ${paused?.stream} ${name}`,
    runbook: 'WorkNotTaken',
  }));

/** The roles of the processes; the last one of a name may have been cut off. */
export function rolesOf(processes: readonly { roles: string[] }[]): Set<Role> {
  return new Set(
    processes.flatMap(({ roles }) =>
      roles.flatMap((told) => {
        if (told === 'all') return ROLES;
        const meant = ROLES.filter((role) => role.startsWith(told));
        return meant.length === 1 ? meant : [];
      }),
    ),
  );
}

function toWork({ work, gates }: Status): Attention[] {
  const found: Attention[] = [];
  const overdue = (work ?? []).filter(({ kind, overdue: late }) => PATIENT_KINDS.includes(kind) && late > 0);
  if (overdue.length > 0)
    found.push({ what: `overdue: ${overdue.map(({ kind, overdue: late }) => `${late} of ${kind}`).join(', ')}`, runbook: 'AgendaOverdue' });
  for (const { kind, provider, oldestSeconds } of work ?? []) {
    if (isWaitingStep(kind) && oldestSeconds > OLDEST_WAITING_SECONDS)
      found.push({ what: `steps of ${provider} have been waiting for ${Math.round(oldestSeconds)} s`, runbook: 'WorkNotTaken' });
  }
  for (const [provider, { down, failures }] of gates ?? []) {
    if (down) found.push({ what: `${provider} is left alone after ${failures} failures in a row`, runbook: 'ProviderFailing' });
  }
  return found;
}

/** Where there is no worker at all, or all are drained, that is said already. */
function toUnserved({ workers, work, recent }: Status): Attention[] {
  const taking = (workers ?? []).filter(({ drainsWith }) => drainsWith === null);
  if (taking.length === 0) return [];
  const isTaken = (provider: ProviderId) => taking.some(({ slots }) => (slots[provider] ?? 0) > 0);
  const isWaiting = (provider: ProviderId) => (work ?? []).some((row) => row.provider === provider && isWaitingStep(row.kind));
  const isAsked = (provider: ProviderId) => isWaiting(provider) || notStarted(recent, provider) > 0;
  const unserved = PROVIDERS.filter((provider) => !isTaken(provider) && isAsked(provider));
  return unserved.map((provider) => ({ what: `no worker takes ${provider}, and jobs ask it`, runbook: 'StepsNotStarted' }));
}

/** Something that could not be asked may be the fault itself. For workers there is a separate runbook. */
function toNotAsked({ notAsked }: Status): Attention[] {
  const others = notAsked.filter(({ what }) => what !== 'workers');
  return [...Map.groupBy(others, ({ why }) => why)].map(([why, group]) => ({
    what: `could not ask: ${group.map(({ what }) => what).join(', ')} (${why})`,
    runbook: null,
  }));
}

function toLog({ checkpointSeconds, firstEventSeconds }: Status, { signsEveryMs }: Deployment): Attention[] {
  if (signsEveryMs === 0 || checkpointSeconds === undefined) return [];
  if (checkpointSeconds === null) {
    const isDue = (firstEventSeconds ?? 0) * 1000 > PAUSES_BEFORE_FIRST * signsEveryMs;
    return isDue ? [{ what: 'the log of events was never signed', runbook: 'CheckpointOld' }] : [];
  }
  if (checkpointSeconds <= OLDEST_CHECKPOINT_SECONDS) return [];
  return [{ what: `the log of events was signed ${Math.round(checkpointSeconds)} s ago`, runbook: 'CheckpointOld' }];
}
