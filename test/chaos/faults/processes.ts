import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { HOUR_MS } from '@lib/domain/durations';

import type { FaultKind } from '../schedule';
import type { RoleProcess } from '../../support/role-process';
import { Random } from '../random';
import type { Evidence, Fault } from './evidence';
import { held } from './held';

/** A limit that keeps nobody waiting who was faster. */
const limit = <Value>(milliseconds: number, value: Value): Promise<Value> => delay(milliseconds, value, { ref: false });
/** For a process that was told to end to have done so: longer than its time to drain. */
const END_MS = 30_000;
const ANSWER_MS = 20_000;
/** For a process to have started, or to have used up its memory, on a machine that others use. */
const BUSY_MS = 60_000;

const killed: Fault = async (deployment, { slot: name, forMs }) => {
  const slot = deployment.slot(name);
  const ending = await slot.down('SIGKILL');
  await delay(forMs);
  void slot.up();
  return ending?.signal === 'SIGKILL' ? 'ended by SIGKILL' : null;
};

const told: Fault = async (deployment, { slot: name, forMs }) => {
  const slot = deployment.slot(name);
  const ending = await Promise.race([slot.down('SIGTERM'), limit(END_MS, 'late' as const)]);
  if (ending === 'late') await slot.down('SIGKILL');
  await delay(forMs);
  void slot.up();
  if (ending === 'late') throw new Error(`${name} did not end within ${END_MS / 1000} s of SIGTERM`);
  return ending?.code === 0 ? 'ended with 0' : null;
};

const isStopped = (pid: number): boolean => / T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/, ''));

const frozen: Fault = async (deployment, { slot: name, forMs }) => {
  const process = await deployment.slot(name).serving();
  process.send('SIGSTOP');
  try {
    return await held(forMs, () => (process.isRunning && isStopped(process.pid) ? 'stopped' : null));
  } finally {
    process.send('SIGCONT');
  }
};

const stuttering: Fault = async (deployment, planned) => {
  const random = new Random(planned.seed);
  let bursts = 0;
  for (const began = performance.now(); performance.now() - began < planned.forMs;) {
    if (await frozen(deployment, { ...planned, forMs: random.integer(50, 600) })) bursts += 1;
    await delay(random.integer(20, 300));
  }
  return bursts > 0 ? 'stopped again and again' : null;
};

/** What the preloaded module answers; null if the process ends or stands still. */
const asked = async (process: RoleProcess, order: string, value = 0): Promise<unknown> =>
  Promise.race([process.ask({ order, value }), limit(ANSWER_MS, null)]);

const blocked: Fault = async (deployment, { slot, forMs }) => {
  const lasted = await asked(await deployment.slot(slot).serving(), 'block', forMs);
  return typeof lasted === 'number' && lasted >= forMs ? 'event loop stood still' : null;
};

const skewed: Fault = async (deployment, { slot, forMs, seed }) => {
  const process = await deployment.slot(slot).serving();
  const aheadMs = new Random(seed).pick([-26, -3, -1, 1, 3, 26]) * HOUR_MS;
  const shown = await asked(process, 'clock', aheadMs);
  await delay(forMs);
  await asked(process, 'clock', 0);
  if (typeof shown !== 'string') return null;
  return Math.abs(Date.parse(shown) - Date.now()) > HOUR_MS / 2 ? 'its clock was off' : null;
};

const outOfMemory: Fault = async (deployment, { slot: name, forMs }) => {
  const process = await deployment.slot(name).serving();
  await asked(process, 'hoard');
  const ending = await Promise.race([process.ended, limit(BUSY_MS, null)]);
  if (ending === null) await process.kill();
  await delay(forMs);
  return ending?.signal === 'SIGABRT' ? 'ended by its heap limit' : null;
};

const previousBuild =
  (main: string): Fault =>
  async (deployment, { slot: name, forMs }) => {
    const slot = deployment.slot(name);
    const before = slot.starts;
    const restart = async (build: string | null) => {
      await Promise.race([slot.down('SIGTERM'), limit(END_MS, null)]);
      await slot.down('SIGKILL');
      slot.main = build;
      void slot.up();
    };
    await restart(main);
    const seen = await held(forMs, (): Evidence => (slot.starts > before ? 'it served' : null), BUSY_MS);
    await restart(null);
    return seen;
  };

/** @param previousMain the program of the previous build, if there is one */
export const processFaults = (previousMain: string | null): Partial<Record<FaultKind, Fault>> => ({
  'process killed': killed,
  'process told to stop': told,
  'process frozen beyond its lease': frozen,
  'process frozen in short bursts': stuttering,
  'event loop blocked': blocked,
  'clock jumps by hours': skewed,
  'memory limit reached': outOfMemory,
  ...(previousMain === null ? {} : { 'previous build takes a turn': previousBuild(previousMain) }),
});
