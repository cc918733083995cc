import { isWaitingStep } from '@lib/domain/job/agenda';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { HeardWorker } from '@lib/messaging/nats-heard-processes';
import type { Attention } from './attention';
import { rolesOf } from './status-attention';
import { plainText } from './plain-text';
import type { Status } from './status-answers';
import { webhookLines } from './status-webhooks';

/** One screen: what needs attention comes first. */
export function statusText(status: Status, attention: readonly Attention[]): string {
  const { server } = status;
  const database = server ? `, PostgreSQL ${server.version}, ${server.sessions} of ${server.maxSessions} sessions` : '';
  const lines = [
    `${status.at}${database}`,
    '',
    ...(attention.length === 0 ? ['Nothing needs attention.'] : ['NEEDS ATTENTION', ...attention.map(attentionLine)]),
    '',
    ...processLines(status),
    ...providerLines(status),
    ...agendaLines(status),
    ...hourLines(status),
    ...webhookLines(status.webhooks),
    ...lagLines(status),
  ];
  return `${lines.map((line) => plainText(line).trimEnd()).join('\n')}\n`;
}

const attentionLine = ({ what, runbook }: Attention): string => `  ${what}${runbook === null ? '' : ` (docs/runbooks/${runbook}.md)`}`;

function processLines({ processes, cutOff, workers }: Status): string[] {
  if (processes === null) return [];
  const rows = [
    ...processes.map((one) => [
      one.instance,
      [...rolesOf([one])].join(),
      one.build,
      one.host ?? '',
      `${one.sessions} sessions${one.isLeaving ? ', draining' : ''}`,
    ]),
    ...(cutOff ?? []).map((one) => [one.instance.slice(0, 8), one.roles.join(), one.build, '', 'cannot reach the database']),
    ...(workers ?? []).map((one) => [one.worker.slice(0, 8), 'worker', one.build ?? '', '', takesText(one)]),
  ];
  const builds = new Set(rows.map(([, , build]) => build));
  const remark = builds.size > 1 ? [`Builds beside each other: ${builds.size}. A rollout is under way, or was not finished.`] : [];
  return [...table(['process', 'roles', 'build', 'host', ''], rows), ...remark, ''];
}

/** `16 of each provider`, or each by itself. */
function takesText({ slots, drainsWith }: HeardWorker): string {
  if (drainsWith !== null) return `draining: takes nothing, holds ${drainsWith}`;
  const counts = new Set(Object.values(slots));
  if (counts.size === 1 && Object.keys(slots).length === PROVIDERS.length) return `${[...counts].join()} steps of each provider`;
  return Object.entries(slots)
    .map(([provider, count]) => `${provider} ${count}`)
    .join(', ');
}

function providerLines({ work, gates }: Status): string[] {
  const rows = PROVIDERS.flatMap((provider) => {
    const own = (work ?? []).filter((row) => row.provider === provider);
    const waiting = own.filter(({ kind }) => isWaitingStep(kind));
    const entries = (of: typeof own) => of.reduce((sum, row) => sum + row.entries, 0);
    const oldest = Math.max(0, ...waiting.map(({ oldestSeconds }) => oldestSeconds));
    const running = entries(own.filter(({ kind }) => kind === 'lease'));
    const gate = gates?.get(provider);
    const held = gate && gate.heldMs > 0 ? `held for ${Math.ceil(gate.heldMs / 1000)} s` : '';
    const circuit = gate?.down ? `open, ${held || 'one step may try'}` : held || (gates ? 'closed' : '?');
    if (waiting.length + running === 0 && circuit === 'closed') return [];
    if (work === null) return [[provider, '?', '?', '?', circuit]];
    return [[provider, String(entries(waiting)), `${Math.round(oldest)} s`, String(running), circuit]];
  });
  const nothing = work === null ? 'Which steps wait or run is not known' : 'No step waits or runs';
  if (rows.length === 0) return [`${nothing}, and every circuit is closed.`, ''];
  return [...table(['provider', 'waiting', 'oldest', 'running', 'circuit'], rows), ''];
}

function agendaLines({ work }: Status): string[] {
  if (work === null) return [];
  const of = (kind: string) => work.filter((row) => row.kind === kind).reduce((sum, { entries }) => sum + entries, 0);
  const late = work.reduce((sum, { overdue }) => sum + overdue, 0);
  return [
    `Jobs that run: ${of('job deadline')}; syntheses that wait: ${of('dispatch synthesis')}, run: ${of('synthesis lease')}; agenda entries due for more than a minute: ${late}.`,
  ];
}

function hourLines({ recent }: Status): string[] {
  if (recent === null) return [];
  const { counts, seconds } = recent;
  const count = (type: string) => counts.filter((row) => row.type === type).reduce((sum, row) => sum + row.count, 0);
  const faults = counts.filter(({ type, reason }) => type in FAULTS && reason !== CANCELLED);
  const title = seconds < 3600 ? `In the last ${Math.round(seconds / 60)} minutes` : 'In the last hour';
  const ended = ['completed', 'failed', 'cancelled'].map((how) => `${how} ${count(`Job${how.charAt(0).toUpperCase()}${how.slice(1)}`)}`);
  return [
    `${title}: jobs created ${count('JobRequested')}, ${ended.join(', ')}; steps completed ${count('StepCompleted')}, faults ${faults.reduce((sum, row) => sum + row.count, 0)}.`,
    ...faults.map(
      ({ type, of, reason, count: some }) => `  ${some} ${FAULTS[type]} ${[of, reason].filter((each) => each !== '').join(' ')}`,
    ),
    '',
  ];
}

const FAULTS: Readonly<Record<string, string>> = {
  StepFailed: 'failed attempts',
  StepAttemptLost: 'attempts lost with their worker',
  StepResultLate: 'results that came too late',
  StepSkipped: 'steps never started',
  DeadlineReached: 'deadlines reached',
  SynthesisAttemptLost: 'paid summaries lost with their process',
  JobFailed: 'jobs without a report',
};

/** Failure class of steps that ended because a customer cancelled or deleted the job: nobody's fault. */
const CANCELLED = 'cancelled';

function lagLines({ checkpointSeconds, standbys }: Status): string[] {
  const signed =
    checkpointSeconds === undefined
      ? '?'
      : checkpointSeconds === null
        ? 'never'
        : `${Math.round(checkpointSeconds)} s behind the newest event`;
  const copies = (standbys ?? []).map(
    ({ name, state, lagSeconds }) => `${name} ${state ?? '?'}${lagSeconds === null ? '' : `, ${lagSeconds.toFixed(1)} s behind`}`,
  );
  return [`Log signed: ${signed}. Standbys: ${copies.join('; ') || 'none that this role is shown'}.`];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
