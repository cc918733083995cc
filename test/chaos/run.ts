import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { inTime } from '../../src/runtime/in-time';
import { Deployment } from './deployment';
import { brokerFaults } from './faults/brokers';
import { databaseFaults } from './faults/database';
import type { Fault } from './faults/evidence';
import { Eavesdropper, messageFaults } from './faults/messages';
import { networkFaults } from './faults/network';
import { processFaults } from './faults/processes';
import { Nemesis, type Deed } from './nemesis';
import type { Observations } from './observations';
import { Receiver } from './receiver';
import { FAULT_KINDS, schedule, type FaultKind } from './schedule';
import { loggedErrors, reachVerdict, type Verdict } from './verdict';
import { Workload } from './workload';

export interface RunOptions {
  seed: number;
  seconds: number;
  /** One nats-server, or a cluster of three. */
  brokers: 1 | 3;
  /** The program of an older build; null if there is none. */
  previousMain: string | null;
  /** Progress, for whoever waits. */
  tell: (line: string) => void;
}

export interface RunReport extends Pick<RunOptions, 'seed' | 'seconds' | 'brokers'> {
  deeds: readonly Deed[];
  /** Why a kind of fault could not be had here. */
  untried: ReadonlyMap<FaultKind, string>;
  observations: Observations;
  verdict: Verdict;
  counts: string;
  /** Of what webhooks were told. */
  told: string;
  recoveriesMs: readonly number[];
  largestMegabytes: number;
}

const REASONS: Partial<Record<FaultKind, string>> = {
  'previous build takes a turn': 'not tried: there is no older build',
  'broker without a quorum': 'not tried: one server needs no quorum',
  'broker disk full': 'not tried: needs one server, and the right to mount a small disk',
  'database disk full': 'not tried: needs the right to mount a small disk',
};
const COUNTED = ['StepStarted', 'StepAttemptLost', 'StepResultLate', 'StepRunCancelled', 'ThreadDeleted'];
/** Far more than each takes, so that a run that stands still says where. */
const START_MS = 180_000;
const VERDICT_MS = 300_000;
const LOGS = resolve(__dirname, '../../.cache/chaos');

/** One deployment, customers, a nemesis for so many seconds, and the verdict. */
export async function run(options: RunOptions): Promise<RunReport> {
  const { seed, seconds, brokers, tell } = options;
  const beganAt = new Date();
  await using closing = new AsyncDisposableStack();
  const receiver = closing.adopt(await Receiver.start(seed), (opened) => opened.close());
  const deployment = closing.adopt(
    await inTime(Deployment.start(brokers, receiver.port), START_MS, 'process that serves in each slot'),
    (opened) => opened.close(),
  );
  await receiver.subscribe(deployment);
  const eavesdropper = closing.adopt(await Eavesdropper.start(deployment), (opened) => opened.close());
  const faults: Partial<Record<FaultKind, Fault>> = {
    ...processFaults(options.previousMain),
    ...networkFaults,
    ...brokerFaults(deployment),
    ...databaseFaults(deployment),
    ...messageFaults(eavesdropper),
  };
  const kinds = FAULT_KINDS.filter((kind) => faults[kind]);
  const workload = new Workload(deployment, await deployment.supervisor.keyOfAnotherTenant(), seed);
  closing.defer(() => workload.abandon());
  const sampler = new MemorySampler(deployment);
  closing.defer(() => sampler.stop());

  const nemesis = new Nemesis(deployment, faults, (deed) => tell(lineOf(deed)));
  await nemesis.play(schedule({ seed, durationMs: seconds * 1000, kinds }));
  tell(`the last fault is over; ${workload.observations.jobs.length} jobs so far`);
  const verdict = await inTime(reachVerdict(deployment, { workload, receiver }, beganAt), VERDICT_MS, 'verdict');
  if (verdict.violations.length > 0) tell(`logs: ${await keepLogs(deployment, `${seed}-${brokers}`)}`);
  for (const [reason, count] of loggedErrors(deployment)) tell(`logged as error: ${count} × ${reason}`);

  const { endedAtMs } = workload.observations;
  const recoveriesMs = nemesis.deeds.flatMap(({ endedAt }) => {
    const next = endedAtMs.find((ended) => ended >= endedAt);
    return next === undefined ? [] : [next - endedAt];
  });
  const types = [...verdict.histories.values()].flat().map(({ type }) => type);
  const counts = COUNTED.map((type) => `${types.filter((other) => other === type).length} ${type}`).join(', ');
  const untried = new Map(FAULT_KINDS.filter((kind) => !faults[kind]).map((kind) => [kind, REASONS[kind] ?? 'not tried']));
  const { deeds } = nemesis;
  const { observations } = workload;
  return {
    seed,
    seconds,
    brokers,
    deeds,
    untried,
    observations,
    verdict,
    counts,
    told: `${receiver.events} events, each told to ${deployment.receiverPorts().length} webhooks, in ${receiver.attempts} attempts`,
    recoveriesMs,
    largestMegabytes: sampler.largestMegabytes,
  };
}

const lineOf = ({ kind, slot, peer, direction, beganMs, endedMs, evidence, error }: Deed): string =>
  `${(beganMs / 1000).toFixed(1)} to ${(endedMs / 1000).toFixed(1)} s  ${kind} (${slot}, ${peer}, ${direction}): ${error ?? evidence ?? 'did not happen'}`;

async function keepLogs({ supervisor }: Deployment, name: string): Promise<string> {
  await mkdir(LOGS, { recursive: true });
  const file = join(LOGS, `${name}.log`);
  await writeFile(file, supervisor.logs.lines.map(({ process, text }) => `${process} ${text}\n`).join(''));
  return file;
}

/** Looks at the resident memory of every process once a second. */
class MemorySampler {
  largestMegabytes = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(deployment: Deployment) {
    this.timer = setInterval(() => {
      for (const { process } of deployment.slots.values()) {
        if (process?.isRunning) this.largestMegabytes = Math.max(this.largestMegabytes, residentMegabytes(process.pid));
      }
    }, 1000);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

function residentMegabytes(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024) || 0;
  } catch {
    return 0;
  }
}
