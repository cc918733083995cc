import type { Pool } from 'pg';
import type { ProviderId } from '@lib/domain/vocabulary';
import { int4Array, textArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';
import { GATES, GATES_OF_TENANTS, RECORD_ANSWER, RECORD_FAILURE, HOLD, isDown, RELEASE } from './gate-statements';
import { stillGivesUp } from './give-up';
import { tenantDigest, tenantGate, tenantGateSql } from './tenant-gate';

/** A step that waits for its turn at a provider, or has waited. */
export interface WaitingStep {
  jobId: string;
  stepId: string;
  provider: ProviderId;
}

/** The place of a step among the waiting ones. */
export interface WaitingPlace extends WaitingStep {
  since: string;
  ref: string;
}

export interface ImpatientStep extends WaitingStep {
  ends: boolean;
}

/** How quickly a provider is given steps. */
export interface Window {
  /** Most steps that are dispatched and unclaimed at a time. */
  size: number;
  /** Milliseconds between two steps; 0 for no distance. */
  paceMs: number;
}

/** What all workers together know about a provider. */
export interface Gate {
  failures: number;
  /** It failed so often in a row that only one step at a time may call it. */
  down: boolean;
  /** Milliseconds for which nothing is admitted, because it is down or has asked for time. */
  heldMs: number;
}

/** Most steps of a provider that one statement admits. */
export const MAX_ADMITTED = 100;

export interface Admitted extends Gate {
  /** With `MAX_ADMITTED` of them, there may be room for more right away. */
  steps: Pick<WaitingStep, 'jobId' | 'stepId'>[];
  /** More steps wait than there was room for. */
  waiting: boolean;
  /** Milliseconds until there may be room without a step being claimed; 0 if a claim makes room. */
  nextMs: number;
}

/** The providers are given in an order that is the same in every process, since each of them is locked. */
const ADMIT = {
  name: 'agenda_admit',
  text: `select provider, admit_steps(provider, size, pace_ms, $4::int4, $5::int4, $6::int4) as admitted
    from unnest($1::text[], $2::int4[], $3::int4[]) as wanted (provider, size, pace_ms)`,
};

const OWN_GATE = tenantGateSql('agenda.provider', 'agenda.tenant_id');

const STILL_GIVES_UP = stillGivesUp('gives_up_at');

const RETURN_STEP = {
  name: 'agenda_return_step',
  text: `update agenda set waiting = true, gives_up_at = ${STILL_GIVES_UP}, look_at = coalesce(${STILL_GIVES_UP}, 'infinity')
    from provider_gate gate
    where agenda.job_id = $1 and agenda.step_id = $2 and agenda.kind in ('dispatch step', 'retry') and agenda.run is null
      and gate.provider in (agenda.provider, ${OWN_GATE}) and (${isDown('gate')} or left_of(gate.held_from, gate.held_ms) > 0)
      and gate.trial_step is distinct from agenda.step_id
    returning agenda.provider`,
};

/** A row may come up before its step gives up, since builds without admission wake every row. */
const TAKE_IMPATIENT = {
  name: 'agenda_take_impatient',
  text: `with looked as (
      select job_id, kind, ref, coalesce(gives_up_at <= statement_timestamp(), false)
          and exists (select 1 from provider_gate gate where gate.provider in (agenda.provider, ${OWN_GATE}) and ${isDown('gate')}) as ends
        from agenda where look_at <= statement_timestamp() and waiting
        order by look_at limit $1::int4 for update of agenda skip locked)
    update agenda set gives_up_at = case when ends then gives_up_at else ${STILL_GIVES_UP} end,
        look_at = case when ends then clock_timestamp() + $2::int4 * interval '1 millisecond' else coalesce(${STILL_GIVES_UP}, 'infinity') end
      from looked where agenda.job_id = looked.job_id and agenda.kind = looked.kind and agenda.ref = looked.ref
      returning agenda.job_id, agenda.step_id, agenda.provider, ends`,
};

const WAITING_LONGEST = {
  name: 'agenda_waiting_longest',
  text: `select agenda.job_id, agenda.step_id, agenda.provider, agenda.ref, agenda.due_at::text as since
    from agenda join job on job.id = agenda.job_id
    where agenda.provider = $1 and agenda.waiting and job.status = 'running' and (agenda.due_at, agenda.job_id, agenda.ref) > ($3::timestamptz, $4, $5)
    order by agenda.due_at, agenda.job_id, agenda.ref limit $2::int4`,
};

/** Who may start a run at which provider, decided by the database for all processes together. */
export class AdmissionTable {
  constructor(private readonly pool: Pool) {}

  /**
   * Admits as many waiting steps of each provider as it has room for, `MAX_ADMITTED` at most, taking tenants in turn. While a provider is down, one
   * step may try it every `openMs`. The steps are looked at again after `againMs`.
   */
  async admit(windows: ReadonlyMap<ProviderId, Window>, openMs: number, againMs: number): Promise<Map<ProviderId, Admitted>> {
    const wanted = [...windows].sort(([one], [other]) => (one < other ? -1 : 1));
    const providers = textArray(wanted.map(([provider]) => provider));
    const [sizes, paces] = [int4Array(wanted.map(([, { size }]) => size)), int4Array(wanted.map(([, { paceMs }]) => paceMs))];
    const rows = await this.query<{ provider: ProviderId; admitted: Admitted }>(
      ADMIT,
      providers,
      sizes,
      paces,
      openMs,
      againMs,
      MAX_ADMITTED,
    );
    return new Map(rows.map(({ provider, admitted }) => [provider, admitted]));
  }

  /** Makes a step wait again if its provider has been held since the step was dispatched. @returns the provider; null if the step may start */
  async returnStep({ jobId, stepId }: Pick<WaitingStep, 'jobId' | 'stepId'>): Promise<ProviderId | null> {
    const [row] = await this.query<{ provider: ProviderId }>(RETURN_STEP, jobId, stepId);
    return row?.provider ?? null;
  }

  /**
   * Waiting steps that are due to be looked at. `ends`: the step has waited for a provider that is down as long as it may. It comes again after
   * `againMs` until it has ended.
   */
  async takeImpatient(limit: number, againMs: number): Promise<ImpatientStep[]> {
    return (await this.query(TAKE_IMPATIENT, limit, againMs)).map((row) => ({ ...waitingStep(row), ends: row.ends as boolean }));
  }

  /** Waiting steps of jobs that have started, the longest first. @param after the last step of the page before */
  async waitingLongest(provider: ProviderId, limit: number, after?: WaitingPlace): Promise<WaitingPlace[]> {
    const { since = '-infinity', jobId = '', ref = '' } = after ?? {};
    const rows = await this.query(WAITING_LONGEST, provider, limit, since, jobId, ref);
    return rows.map((row) => ({ ...waitingStep(row), since: row.since as string, ref: row.ref as string }));
  }

  /** The gates of all known providers, as they apply to this tenant. Without a tenant, a provider counts as down if it is down for any. */
  async gates(tenantId?: string): Promise<Map<ProviderId, Gate>> {
    const rows = await this.query<Gate & { provider: ProviderId }>(GATES, tenantId === undefined ? null : tenantDigest(tenantId));
    return new Map(rows.map(({ provider, ...gate }) => [provider, gate]));
  }

  /** The gates of tenants for which a provider is down. */
  async gatesOfTenants(): Promise<Map<string, Gate>> {
    const rows = await this.query<Gate & { name: string }>(GATES_OF_TENANTS);
    return new Map(rows.map(({ name, ...gate }) => [name, gate]));
  }

  /**
   * Counts a failure. After `most` in a row the provider is down, and nothing is admitted for `openMs`: only for the tenant whose steps failed or,
   * once the failures include steps of two tenants, for all. So one tenant's requests cannot take a provider from others. Without a tenant: for all.
   */
  async recordFailure(provider: ProviderId, most: number, openMs: number, tenantId?: string): Promise<{ all: Gate; own: Gate | null }> {
    const record = async (gate: string, own: string | null) => (await this.query<Gate>(RECORD_FAILURE, gate, most, openMs, own))[0] as Gate;
    if (tenantId === undefined) return { all: await record(provider, null), own: null };
    const name = tenantGate(provider, tenantId);
    const own = await record(name, null);
    return { all: await record(provider, name), own };
  }

  /** A provider that answers anybody is not down for anybody. @param openMs a hold that lasts longer than this has another reason, and stays */
  async recordAnswer(provider: ProviderId, openMs: number): Promise<Gate | null> {
    return (await this.query<Gate>(RECORD_ANSWER, provider, openMs))[0] ?? null;
  }

  /** Holds a provider that asked for time. */
  async hold(provider: ProviderId, milliseconds: number): Promise<Gate | null> {
    return (await this.query<Gate>(HOLD, provider, Math.ceil(milliseconds)))[0] ?? null;
  }

  /** Ends a hold, whatever its reason. If the provider is down, a step may try it now. */
  async release(provider: ProviderId): Promise<void> {
    await this.query(RELEASE, provider);
  }

  private query<Row = Record<string, unknown>>(statement: { name: string; text: string }, ...values: unknown[]): Promise<Row[]> {
    return rowsOf<Row>(this.pool, { ...statement, values });
  }
}

const waitingStep = (row: Record<string, unknown>): WaitingStep => ({
  jobId: row.job_id as string,
  stepId: row.step_id as string,
  provider: row.provider as ProviderId,
});
