import type { Pool } from 'pg';
import { isId } from '@lib/domain/ids';
import { agendaOf } from '@lib/domain/job/agenda';
import { isFinal } from '@lib/domain/job/state';
import { ledgerOf } from '@lib/domain/ledger';
import type { LedgerTotals } from '@lib/domain/ledger-book';
import { readJobHistory, type JobMoment } from '../history/load';
import { rowsOf } from '../postgres/rows-of';
import { withStoreErrors } from '../postgres/store-unavailable';
import type { Contents } from '../sealing/contents';
import { JobContents } from '../sealing/job-contents';
import { jobStep } from './flat-jobs';
import { finalJobDocument } from './job-document';
import { openJobDocument } from './open-job-document';
import type { PastAmountsView, PastJobView, PastMoneyView } from './past-job.view';

const THREAD = `select from thread where id = $1`;

/** The cache is bypassed. */
const ERASED = new JobContents(() => Promise.resolve(null));

/** The times of the agenda are left out, so how long a lease lasts does not matter. */
const ANY_LEASE_MS = 0;

/** Jobs as they were after any of their events. Only the events are read, so that a job can be seen after its deletion too. */
export class PastJobs {
  constructor(
    private readonly pool: Pool,
    private readonly contents: Contents,
  ) {}

  /**
   * @param tenantId the tenant that must own the job; null: any
   * @returns null if there is no such job
   */
  async history(tenantId: string | null, jobId: string): Promise<JobMoment[] | null> {
    if (!isId('job', jobId)) return null;
    const history = await withStoreErrors(() => readJobHistory(this.pool, jobId));
    const [first] = history;
    return first && (tenantId === null || first.state.tenantId === tenantId) ? history : null;
  }

  /** @param version of one of its events */
  async view(jobId: string, history: readonly JobMoment[], version: number): Promise<PastJobView> {
    const { state } = history[version - 1] as JobMoment;
    return pastJobView(jobId, history, version, await this.contentsOf(jobId, state.threadId));
  }

  /** The thread's row says whether the content may still be shown. */
  private async contentsOf(jobId: string, threadId: string): Promise<JobContents> {
    const [thread] = await rowsOf(this.pool, { text: THREAD, values: [threadId] });
    return thread ? this.contents.ofJob(jobId, threadId) : ERASED;
  }
}

/** Everything that the history says of a job as it was after the event of that version, in today's form. */
export async function pastJobView(
  jobId: string,
  history: readonly JobMoment[],
  version: number,
  contents: JobContents,
): Promise<PastJobView> {
  const moments = history.slice(0, version);
  const { state, at: from } = moments.at(-1) as JobMoment;
  const query = await contents.question();
  const readable = query === null ? ERASED : contents;
  const isOpen = !isFinal(state);
  const [document, steps] = await Promise.all([
    isOpen ? openJobDocument(jobId, state, query ?? '') : finalJobDocument(jobId, state, readable, query ?? ''),
    Promise.all(state.steps.map((step) => jobStep(step, state, readable, true))),
  ]);
  return {
    ...{ jobId, version, latestVersion: history.length, from, until: history[version]?.at ?? null },
    ...{ status: state.status, erased: query === null, document, steps },
    money: moneyOf(moments),
    agenda: agendaOf(state, ANY_LEASE_MS).map(({ kind, ref, stepId, attempt }) => ({ kind, ref, stepId, attempt })),
  };
}

export function moneyOf(moments: readonly JobMoment[]): PastMoneyView {
  const { capMicros, chargedMicros, totals, accounts } = ledgerOf(moments.map(({ event }) => event));
  const runs = accounts.map(({ stepId, run, charge, ...amounts }) => ({
    ...{ stepId, run, billedMicros: charge?.micros ?? null },
    ...amountsOf(amounts),
  }));
  return { capMicros, chargedMicros, totals: amountsOf(totals), runs };
}

const amountsOf = (amounts: LedgerTotals): PastAmountsView => {
  const { reservedMicros, heldMicros, committedMicros, releasedMicros, lostMicros, overrunMicros, lateMicros } = amounts;
  return { reservedMicros, heldMicros, committedMicros, releasedMicros, lostMicros, overrunMicros, lateMicros };
};
