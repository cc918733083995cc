import { text } from 'node:stream/consumers';
import type { JobEvent } from '@lib/domain/job/events';
import { ledgerOf, type JobLedger } from '@lib/domain/ledger';
import { readEvents } from '@lib/store/history/load';
import { eventsIn, notAHistory } from './event-list';
import { ledgerText } from './ledger-text';
import { withOperatorPool } from './operator-pool';
import { STANDARD_INPUT } from './option-parsers';
import { requireThere } from './removed-history';

interface LedgerOptions {
  json?: boolean;
}

/**
 * Prints the ledger of a job. Exit code 1 if its history contradicts itself. Needs no secrets, since facts of events hold no content. Of standard
 * input it reads a response of the events route, so that clients can audit without the database.
 */
export async function ledgerCommand(job: string, { json }: LedgerOptions): Promise<void> {
  const ledger = job === STANDARD_INPUT ? ledgerOfAnswer(await text(process.stdin)) : ledgerOf(await recordedEvents(job));
  process.stdout.write(json ? `${JSON.stringify(ledger, null, 2)}\n` : ledgerText(ledger));
  if (ledger.discrepancies.length > 0) process.exitCode = 1;
}

/** Works for deleted threads too, since a job's costs are kept when its content is erased. */
const recordedEvents = (jobId: string): Promise<JobEvent[]> =>
  withOperatorPool(async (pool) => {
    const events = await readEvents(pool, jobId);
    if (events.length === 0) await requireThere(pool, jobId);
    if (events.length === 0) throw new Error(`The database holds no job ${jobId}.`);
    return events as JobEvent[];
  });

/** @throws Error if this is not the whole history of a job, or needs a newer build */
export function ledgerOfAnswer(answer: string): JobLedger {
  const events = eventsIn(answer);
  try {
    return ledgerOf(events);
  } catch (cause) {
    throw notAHistory('an event lacks facts that the ledger needs', cause);
  }
}
