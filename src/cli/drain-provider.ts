import { setTimeout as sleep } from 'node:timers/promises';
import type { ProviderId } from '@lib/domain/vocabulary';
import { readEnv } from '@lib/settings/read-env';
import { AdmissionTable } from '@lib/store/agenda/admission-table';
import { databaseTime } from '@lib/store/postgres/database-time';
import { runningSteps, type RunningStep } from '@lib/store/views/running-steps';
import { withOperatorPool } from './operator-pool';

interface DrainOptions {
  /** For how long nothing is started, in milliseconds. */
  for: number;
  /** How long to wait for what runs, in milliseconds. */
  wait: number;
  undo?: boolean;
}

const STILL_RUNNING = 1;
const LOOK_EVERY_MS = 1_000;
/** How many of the steps that still run are named. */
const MAX_NAMED = 10;

/**
 * Stops steps from starting runs at these providers for a while, and waits until the running ones have ended. Waiting steps stay on the agenda, and
 * runs that a provider keeps are still followed. The drain ends by itself, so that nobody has to remember it.
 */
export async function drainProvidersCommand(providers: readonly ProviderId[], { for: forMs, wait, undo }: DrainOptions): Promise<void> {
  const { SWEEP_MS } = readEnv(process.env);
  await withOperatorPool(async (pool) => {
    const admission = new AdmissionTable(pool);
    if (undo) {
      await Promise.all(providers.map((provider) => admission.release(provider)));
      console.log(`${providers.join(', ')}: steps are started again within ${Math.ceil(SWEEP_MS / 1000)} s.`);
      return;
    }
    const until = performance.now() + forMs;
    const hold = () => Promise.all(providers.map((provider) => admission.hold(provider, until - performance.now())));
    // The hold ends by the database's clock, and this machine's may be wrong.
    const endsAt = new Date((await databaseTime(pool)).getTime() + forMs);
    await hold();
    console.log(`${providers.join(', ')}: no step is started until ${endsAt.toISOString()}, or drain provider --undo.`);
    const left = await untilNothingRuns(
      async () => {
        // Repeated, because a run that the provider answers meanwhile may have cleared the hold.
        await hold();
        return runningSteps(pool, providers);
      },
      { waitMs: Math.min(wait, forMs), quietMs: SWEEP_MS + LOOK_EVERY_MS },
    );
    console.log(left.length === 0 ? 'Nothing runs there.' : remaining(left));
    if (left.length > 0) process.exitCode = STILL_RUNNING;
  });
}

/** Until nothing has run for `quietMs`: a saga learns of the hold with its next look at the agenda, and may start something until then. */
async function untilNothingRuns(
  look: () => Promise<RunningStep[]>,
  { waitMs, quietMs }: { waitMs: number; quietMs: number },
): Promise<RunningStep[]> {
  const began = performance.now();
  for (let busyAt = began; ;) {
    const running = await look();
    const now = performance.now();
    if (running.length > 0) busyAt = now;
    if (now - busyAt >= quietMs) return [];
    if (now - began >= waitMs + quietMs) return running;
    if (running.length > 0 && now - began >= waitMs) return running;
    await sleep(LOOK_EVERY_MS);
  }
}

function remaining(left: readonly RunningStep[]): string {
  const named = left
    .slice(0, MAX_NAMED)
    .map(({ provider, jobId, stepId, startedAt }) => `  ${provider} ${jobId} ${stepId} since ${startedAt ?? '?'}`);
  const more = left.length > MAX_NAMED ? [`  and ${left.length - MAX_NAMED} more`] : [];
  return [`Still running: ${left.length}. Nothing new is started; run this again to wait on.`, ...named, ...more].join('\n');
}
