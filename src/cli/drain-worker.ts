import { setTimeout as sleep } from 'node:timers/promises';
import { messageOfError } from '@lib/domain/message-of-error';
import { readEnv } from '@lib/settings/read-env';
import { httpAddress } from '../http-address';
import { plainText } from './plain-text';
import type { DrainState } from '../telemetry/drain-route';

interface DrainWorkerOptions {
  /** How long to wait for what runs, in milliseconds. */
  wait: number;
  undo?: boolean;
  /** Address of the process's ADMIN_PORT; by default that of the environment, on this machine. */
  admin?: string;
}

const STILL_RUNNING = 1;
const NOT_ASKED = 2;
const LOOK_EVERY_MS = 1_000;
const ANSWER_MS = 5_000;

/** Lets one worker take nothing new and waits until what it holds has ended; it goes on running, for `--undo` or for its end. */
export async function drainWorkerCommand({ wait, undo, admin }: DrainWorkerOptions): Promise<void> {
  try {
    const address = admin ?? adminOfEnvironment();
    if (undo) {
      await ask(address, 'DELETE');
      return console.log('The worker takes steps again.');
    }
    const began = performance.now();
    let { held } = await ask(address, 'PUT');
    console.log('The worker takes nothing new.');
    for (; held > 0 && performance.now() - began < wait; { held } = await ask(address, 'GET')) await sleep(LOOK_EVERY_MS);
    console.log(held === 0 ? 'It holds nothing: it can be ended.' : `It still holds ${held}; run this again to wait on.`);
    if (held > 0) process.exitCode = STILL_RUNNING;
  } catch (error) {
    process.stderr.write(`could not drain: ${plainText(messageOfError(error))}\n`);
    process.exitCode = NOT_ASKED;
  }
}

function adminOfEnvironment(): string {
  const { HOST, ADMIN_PORT } = readEnv(process.env);
  if (ADMIN_PORT) return httpAddress(HOST, ADMIN_PORT);
  throw new Error('ADMIN_PORT is not set: run this where the worker runs, with its environment, or name its address with --admin');
}

async function ask(address: string, method: 'GET' | 'PUT' | 'DELETE'): Promise<DrainState> {
  const response = await fetch(`${address}/drain`, { method, signal: AbortSignal.timeout(ANSWER_MS) }).catch((cause: unknown) => {
    throw new Error(`nobody answers at ${address}: check ADMIN_PORT of the worker, and that it runs`, { cause });
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${(await response.text()).trim().slice(0, 200)}`);
  return (await response.json()) as DrainState;
}
