import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { DAY_MS } from '@lib/domain/durations';
import type { AgendaKind } from '@lib/domain/job/agenda';
import { int4Array, textArray } from '../postgres/array-parameter';
import { answeredInTime } from '../postgres/answer-within';
import { rowsOf } from '../postgres/rows-of';
import {
  BEGIN_DEADLINE,
  BEGIN_SYNTHESIS,
  IS_PUT_OFF,
  KEEP_TAKEN,
  LOOK_AGAIN,
  PUT_OFF,
  RENEW,
  RETURN_TRY,
  POSTPONE,
  POSTPONE_STEPS,
  TAKE,
  TAKE_EXPIRED,
  TAKE_TURN,
  WAKE,
} from './agenda-statements';
import { dueEntry, type DueEntry } from './due-entry';

/** The lease of a running attempt. Its worker renews it; otherwise `Expiry` ends it. */
export interface Lease {
  jobId: string;
  stepId: string;
  attempt: number;
}

/** A synthesis that was taken in its tenant's turn. */
export interface Turn {
  jobId: string;
  tenantId: string;
  /** Whether it was never taken before. */
  isFirst: boolean;
  /** Whether syntheses of other tenants are waiting too. */
  othersWait: boolean;
}

const leaseRef = ({ stepId, attempt }: Pick<Lease, 'stepId' | 'attempt'>): string => `${stepId}#${attempt}`;

/** Longer than any row stays on the agenda. */
const EVERYTHING_MS = 3_650 * DAY_MS;

const MAX_SYNTHESES = 256;

/** The rows of the agenda. All times are the database's; a row is removed only when the state that put it there changes. */
export class AgendaTable {
  /** Counts a try of a job's synthesis; null if no synthesis is due. */
  readonly beginSynthesis: (jobId: string) => Promise<number | null>;

  constructor(private readonly pool: Pool) {
    this.beginSynthesis = batch((jobIds: string[]) => this.beginSyntheses(jobIds), { maxItems: MAX_SYNTHESES, ...answeredInTime });
  }

  /**
   * Rows of these kinds that are due to be looked at; they come again after `againMs` unless the state changes.
   * @param lookBackMs only what became due in that time; null for everything
   */
  async takeDue(kinds: readonly AgendaKind[], limit: number, againMs: number, lookBackMs: number | null = null): Promise<DueEntry[]> {
    return (await rowsOf(this.pool, { ...TAKE, values: [limit, againMs, textArray(kinds), lookBackMs ?? EVERYTHING_MS] })).map(dueEntry);
  }

  /**
   * The same for leases and deadlines whose time has run out. With a limit of 0 it only shows that the agenda can be written to, and the time.
   * @param all false for the deadlines of running steps alone
   */
  async takeExpired(
    limit: number,
    againMs: number,
    lookBackMs: number | null = null,
    all = true,
  ): Promise<{ due: DueEntry[]; arrivedAt: Date }> {
    const rows = await rowsOf(this.pool, { ...TAKE_EXPIRED, values: [limit, againMs, lookBackMs ?? EVERYTHING_MS, all] });
    return { due: rows.filter((row) => row.job_id !== null).map(dueEntry), arrivedAt: rows[0]?.arrived_at as Date };
  }

  /** Moves the next look at a row: to return a row that was taken in vain, or to keep others from a row that is being worked on. */
  async lookAgain({ jobId, kind, ref }: Pick<DueEntry, 'jobId' | 'kind' | 'ref'>, inMs: number): Promise<void> {
    await rowsOf(this.pool, { ...LOOK_AGAIN, values: [jobId, kind, ref, inMs] });
  }

  /** Postpones a job that cannot be decided about, so that it does not delay the others. */
  async postpone(jobId: string, forMs: number): Promise<void> {
    await rowsOf(this.pool, { ...POSTPONE, values: [jobId, forMs] });
  }

  /** The same for steps that wait to be started, if the job itself can be decided about, so that its deadline and leases still end in time. */
  async postponeSteps(jobId: string, forMs: number): Promise<void> {
    await rowsOf(this.pool, { ...POSTPONE_STEPS, values: [jobId, forMs] });
  }

  /** Delays the next try of a step that starts a run, even if it was already dispatched. */
  async putOff({ jobId, stepId }: Pick<Lease, 'jobId' | 'stepId'>, forMs: number): Promise<void> {
    await rowsOf(this.pool, { ...PUT_OFF, values: [jobId, stepId, forMs] });
  }

  async isPutOff({ jobId, stepId }: Pick<Lease, 'jobId' | 'stepId'>): Promise<boolean> {
    const [row] = await rowsOf(this.pool, { ...IS_PUT_OFF, values: [jobId, stepId] });
    return row?.put_off === true;
  }

  /**
   * Renews leases, each for its own time.
   * @returns for each whether it is still held. False: it was lost or its job ended, so its worker has to stop. `locked`: somebody else has locked
   * its row, so it is unknown, and the worker asks again
   */
  async renewLeases(leases: readonly (Lease & { leaseMs: number })[]): Promise<(boolean | 'locked')[]> {
    const lengths = leases.map(({ leaseMs }) => leaseMs);
    const values = [textArray(leases.map(({ jobId }) => jobId)), textArray(leases.map(leaseRef)), int4Array(lengths)];
    const rows = await rowsOf(this.pool, { ...RENEW, values });
    const found = new Map(
      rows.map(({ job_id: jobId, ref, renewed }) => [`${String(jobId)}/${String(ref)}`, renewed === true ? true : ('locked' as const)]),
    );
    return leases.map((lease) => found.get(`${lease.jobId}/${leaseRef(lease)}`) ?? false);
  }

  /** Makes everything that waits to be dispatched due now: at the start, and when the transport is connected again. */
  async wakeDispatches(): Promise<void> {
    await rowsOf(this.pool, { ...WAKE, values: [] });
  }

  /**
   * Takes the synthesis whose turn it is, when this job's is to be begun: its own, or the one of another tenant that has waited longest. It is given
   * to nobody else until `keepTaken` has not been called for a while.
   * @param after the tenant that had the turn before
   * @returns null if the job's own synthesis is not due, or somebody is working on it
   */
  async takeTurn(jobId: string, after: string): Promise<Turn | null> {
    const [turn] = await rowsOf<Turn>(this.pool, { ...TAKE_TURN, values: [jobId, after] });
    return turn ?? null;
  }

  /** Renews the claim of this process to a synthesis: meanwhile nobody else is given it or woken for it. */
  async keepTaken(jobId: string): Promise<void> {
    await rowsOf(this.pool, { ...KEEP_TAKEN, values: [jobId] });
  }

  /** Gives the job's synthesis this much time from now, unless it already has less. Like a heartbeat, this is not an event. */
  async beginSynthesisDeadline(jobId: string, milliseconds: number): Promise<void> {
    await rowsOf(this.pool, { ...BEGIN_DEADLINE, values: [jobId, milliseconds] });
  }

  /** Takes back a try counted by `beginSynthesis`, because its process has survived it. */
  async returnTry(jobId: string): Promise<void> {
    await rowsOf(this.pool, { ...RETURN_TRY, values: [jobId] });
  }

  private async beginSyntheses(jobIds: readonly string[]): Promise<(number | null)[]> {
    const rows = await rowsOf(this.pool, { ...BEGIN_SYNTHESIS, values: [textArray(jobIds)] });
    const tries = new Map(rows.map((row) => [row.job_id, row.tries as number]));
    return jobIds.map((jobId) => tries.get(jobId) ?? null);
  }
}
