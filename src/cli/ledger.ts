import { text } from 'node:stream/consumers';
import type { JobEvent } from '@lib/domain/job/events';
import { ledgerOf, type JobLedger } from '@lib/domain/ledger';
import { readEnv } from '@lib/settings/env';
import { readEvents } from '@lib/store/history/load';
import { createPool } from '@lib/store/postgres/pool';
import { openOperatorDatabase, requireDatabase, requireSchema } from '../database';
import { eventsIn, notAHistory } from './event-list';
import { ledgerText } from './ledger-text';

export interface LedgerOptions {
  json?: boolean;
}

/** Reads a response of the events route from standard input, so that clients can audit without the database. */
export const STANDARD_INPUT = '-';

/** Prints the ledger of a job. Exit code 1 if its history contradicts itself. Needs no secrets, since facts of events hold no content. */
export async function ledgerCommand(job: string, { json }: LedgerOptions): Promise<void> {
  const ledger = job === STANDARD_INPUT ? ledgerOfAnswer(await text(process.stdin)) : ledgerOf(await recordedEvents(job));
  process.stdout.write(json ? `${JSON.stringify(ledger, null, 2)}\n` : ledgerText(ledger));
  if (ledger.discrepancies.length > 0) process.exitCode = 1;
}

/** Works for deleted threads too, since a job's costs are kept when its content is erased. */
async function recordedEvents(jobId: string): Promise<JobEvent[]> {
  const { url, embedded } = await openOperatorDatabase(readEnv(process.env));
  await using closing = new AsyncDisposableStack();
  closing.defer(async () => embedded?.stop());
  const pool = createPool(url, 1);
  closing.defer(() => pool.end());
  await requireDatabase(pool);
  await requireSchema(pool);
  const events = await readEvents(pool, jobId);
  if (events.length === 0) throw new Error(`The database holds no job ${jobId}.`);
  return events as JobEvent[];
}

/** @throws Error if this is not the whole history of a job, or needs a newer build */
export function ledgerOfAnswer(answer: string): JobLedger {
  const events = eventsIn(answer);
  try {
    return ledgerOf(events);
  } catch (cause) {
    throw notAHistory('an event lacks facts that the ledger needs', cause);
  }
}
