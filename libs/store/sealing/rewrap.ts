import type { Pool } from 'pg';
import { byteaArray, textArray } from '../postgres/array-parameter';
import type { KeyRing } from './key-ring';
import { reseal, RUNS, sealedRows, WEBHOOKS, type SealedKind } from './sealed-rows';

/** Rows locked together, few enough not to disturb other writers. */
const PIECE = 200;
/** Rows that others had locked during one pass are rewrapped in the next. */
const MAX_PASSES = 20;

/** What is sealed under a master key. */
export interface MasterKeyUse {
  kekId: string;
  threads: number;
  webhooks: number;
  runs: number;
  /**
   * Nothing is sealed under it, and no process reports sealing under it: it was retired, or is not in use yet, which cannot be distinguished here.
   */
  isUnused: boolean;
}

/** For content that cannot be opened: it is sealed under an unavailable master key, or was changed. */
export const UNKNOWN_KEY = 'unknown';

const THREADS = `select thread_id, kek_id, wrapped from thread_key where thread_id > $1 and kek_id <> $2 and kek_id = any ($3::text[])
  order by thread_id limit $4::int4`;
/**
 * Updates only rows that are unchanged since they were read, so that the key of a deleted thread does not come back. Locked rows are left for later.
 */
const REWRAP_THREADS = `
  with given as (select * from unnest($1::text[], $2::bytea[], $3::bytea[]) as given (thread_id, wrapped, rewrapped)),
  mine as materialized (select thread_key.thread_id, rewrapped from thread_key join given on given.thread_id = thread_key.thread_id
    where thread_key.wrapped = given.wrapped order by thread_key.thread_id for no key update of thread_key skip locked)
  update thread_key set kek_id = $4, wrapped = mine.rewrapped from mine where thread_key.thread_id = mine.thread_id`;
const KEYS = `select kek_id, (select count(*)::int from thread_key where thread_key.kek_id = known.kek_id) as threads,
    exists (select from master_key where master_key.kek_id = known.kek_id) as registered
  from (select kek_id from master_key union select distinct kek_id from thread_key) as known order by kek_id`;
/** The latest master key that came into use after $1, whether or not this process has it. */
const LATER = `select later.kek_id from master_key as given join master_key as later on later.first_used_at > given.first_used_at
  where given.kek_id = $1 order by later.first_used_at desc limit 1`;
/** Requests that were recorded when not every process knew the newest key: they can be recognized only by an older one. */
const REQUESTS_LEFT = `select exists (select from keyed_request, master_key
  where kek_id = $1 and expires_at > statement_timestamp() and expires_at <= first_used_at + interval '24 hours') as left`;
/** Never one that a process has begun to seal under since the order was looked at. */
const RETIRE = `delete from master_key where kek_id = $1 and not exists (select from thread_key where kek_id = $1)
  and first_used_at <= (select first_used_at from master_key where kek_id = $2)`;

/**
 * Rewraps everything under the newest master key while the service runs. The data keys do not change, and so neither does any content. It may be
 * stopped at any time and restarted, also in several processes at once.
 */
export class Rewrapping {
  constructor(
    private readonly pool: Pool,
    private readonly ring: KeyRing,
  ) {}

  /** What each known key is used for, newest first. */
  async uses(): Promise<MasterKeyUse[]> {
    const { rows } = await this.pool.query<{ kek_id: string; threads: number; registered: boolean }>(KEYS);
    const uses = new Map<string, MasterKeyUse>();
    const useOf = (kekId: string): MasterKeyUse => {
      const use = uses.get(kekId) ?? { kekId, threads: 0, webhooks: 0, runs: 0, isUnused: true };
      uses.set(kekId, use);
      return use;
    };
    for (const kekId of this.ring.kekIds) useOf(kekId);
    for (const { kek_id: kekId, threads, registered } of rows)
      Object.assign(useOf(kekId), { threads, isUnused: !registered && threads === 0 });
    for (const kind of [WEBHOOKS, RUNS]) {
      for await (const row of sealedRows(this.pool, kind)) {
        const use = useOf(this.ring.sealedUnder(row.place, row.sealed) ?? UNKNOWN_KEY);
        use[kind.name] += 1;
        use.isUnused = false;
      }
    }
    const newest = useOf(this.ring.kekId);
    newest.isUnused = false;
    return [newest, ...[...uses.values()].filter((use) => use !== newest)];
  }

  /**
   * @returns how much was rewrapped under the newest key
   * @throws Error unless a process has started with this key as its newest, because otherwise others could not open the result; or if processes later
   * began to seal under another key, whether or not it is one of these, because the newer one would be retired
   */
  async rewrap(): Promise<number> {
    const { rowCount } = await this.pool.query('select from master_key where kek_id = $1', [this.ring.kekId]);
    if (rowCount === 0) {
      const order = 'first start every process with it in the second place of MASTER_KEYS, then every process with it in the first';
      throw new Error(`No process seals under ${this.ring.kekId}, the newest of these keys: ${order}.`);
    }
    await this.requireOrder();
    let done = 0;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const moved = (await this.rewrapThreads()) + (await this.rewrapSealed(WEBHOOKS)) + (await this.rewrapSealed(RUNS));
      if (moved === 0) break;
      done += moved;
    }
    return done;
  }

  /**
   * Lets go of the older keys that nothing uses any more: a process may then start without them.
   * @returns those that it let go of
   */
  async retire(): Promise<string[]> {
    await this.requireOrder();
    const [newest, ...older] = await this.uses();
    const { rows } = await this.pool.query<{ left: boolean }>(REQUESTS_LEFT, [newest?.kekId]);
    const hasUnknown = older.some(({ kekId, webhooks, runs }) => kekId === UNKNOWN_KEY && webhooks + runs > 0);
    const retired: string[] = [];
    if (rows[0]?.left) return retired;
    for (const { kekId, threads, webhooks, runs } of older) {
      const mayBeUsed = hasUnknown && !this.ring.kekIds.includes(kekId);
      if (threads + webhooks + runs > 0 || mayBeUsed) continue;
      const { rowCount } = await this.pool.query(RETIRE, [kekId, this.ring.kekId]);
      if (rowCount === 1) retired.push(kekId);
    }
    return retired;
  }

  private async requireOrder(): Promise<void> {
    const { rows } = await this.pool.query<{ kek_id: string }>(LATER, [this.ring.kekId]);
    const [later] = rows;
    if (!later) return;
    const has = this.ring.kekIds.includes(later.kek_id) ? `and ${later.kek_id} behind it` : `and lacks ${later.kek_id}`;
    throw new Error(
      `MASTER_KEYS has ${this.ring.kekId} first ${has}, under which processes began to seal later: put the newest key first, as the ` +
        'processes have it. To go back to an older key, make a new one instead.',
    );
  }

  private async rewrapThreads(): Promise<number> {
    const older = this.ring.kekIds.slice(1);
    let done = 0;
    for (let after = ''; ;) {
      const { rows } = await this.pool.query<{ thread_id: string; kek_id: string; wrapped: Buffer }>(THREADS, [
        after,
        this.ring.kekId,
        older,
        PIECE,
      ]);
      const last = rows.at(-1);
      if (!last) return done;
      after = last.thread_id;
      const given = rows.map(({ thread_id: threadId, kek_id: kekId, wrapped }) => ({
        threadId,
        wrapped,
        ...this.tryRewrap(threadId, kekId, wrapped),
      }));
      const openable = given.filter((one) => one.rewrapped !== null);
      const { rowCount } = await this.pool.query(REWRAP_THREADS, [
        textArray(openable.map(({ threadId }) => threadId)),
        byteaArray(openable.map(({ wrapped }) => wrapped)),
        byteaArray(openable.map(({ rewrapped }) => rewrapped)),
        this.ring.kekId,
      ]);
      done += rowCount ?? 0;
    }
  }

  /** Null for a key that was changed: nobody can open it, and it must not stop the others from being rewrapped. */
  private tryRewrap(threadId: string, kekId: string, wrapped: Buffer): { rewrapped: Buffer | null } {
    try {
      return { rewrapped: this.ring.rewrap(threadId, { kekId, wrapped }).wrapped };
    } catch {
      return { rewrapped: null };
    }
  }

  private async rewrapSealed(kind: SealedKind): Promise<number> {
    let done = 0;
    for await (const row of sealedRows(this.pool, kind)) {
      const { place, sealed } = row;
      const kekId = this.ring.sealedUnder(place, sealed);
      if (kekId === null || kekId === this.ring.kekId) continue;
      if (await reseal(this.pool, kind, row, this.ring.seal(place, this.ring.unseal(place, sealed)))) done += 1;
    }
    return done;
  }
}
