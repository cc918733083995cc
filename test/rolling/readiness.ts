import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** As a probe of the manifests waits. */
const PROBE_TIMEOUT_MS = 3_000;
const START_MS = 60_000;

/** Whether a process says that it is ready. Each question has a connection of its own, as a probe's has. */
export function isReady(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${address}/health/ready`, { agent: false, timeout: PROBE_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

export async function untilReady(address: string, what: string): Promise<void> {
  for (const began = performance.now(); !(await isReady(address)); await delay(100))
    if (performance.now() - began > START_MS) throw new Error(`${what} is not ready ${START_MS / 1000} s after it served`);
}
