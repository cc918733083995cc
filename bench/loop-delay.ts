import { text } from 'node:stream/consumers';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** How late the event loop of a process was, and how long it stood still to collect garbage, in milliseconds. */
export interface LoopDelay {
  p50: number;
  p99: number;
  longestCollection: number;
}

const RESOLUTION_MS = 1;

/** What a process needs in its environment to tell its LoopDelay at a socket in the folder. */
export const telling = (folder: string): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require="${__filename}"`,
  LOOP_DELAY_FOLDER: folder,
});

/** @returns the delay since the previous call */
export async function askLoopDelay(folder: string, pid: number): Promise<LoopDelay> {
  return JSON.parse(await text(connect(socketOf(folder, pid)))) as LoopDelay;
}

const socketOf = (folder: string, pid: number): string => join(folder, `${pid}.sock`);

function tell(folder: string): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let longestCollection = 0;
  new PerformanceObserver((list) => {
    longestCollection = Math.max(longestCollection, ...list.getEntries().map(({ duration }) => duration));
  }).observe({ entryTypes: ['gc'] });
  const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  const server = createServer((socket) => {
    const told: LoopDelay = { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), longestCollection };
    socket.end(JSON.stringify(told));
    delay.reset();
    longestCollection = 0;
  });
  server.listen(socketOf(folder, process.pid)).unref();
}

// It is preloaded in the processes that are measured.
if (isMainThread && process.env.LOOP_DELAY_FOLDER !== undefined) tell(process.env.LOOP_DELAY_FOLDER);
