import type { ClientBase, Pool } from 'pg';

/** The error of `pg` for a statement that took too long. */
export const GIVEN_UP = 'Query read timeout';
const STILL_AT_WORK = `select pid from pg_stat_activity where pid = any ($1::int4[]) and state = 'active'`;
const READ_ONLY = 'set default_transaction_read_only = on';

const stuckIn = new WeakMap<Pool, () => number>();

/**
 * Keeps a process from using up the server's connections while commits hang, for example because a synchronous standby is gone. No server timeout
 * ends such a commit, and its session does not notice that the client has gone. So once this process has given up as many sessions as its pool has
 * connections, each new connection first asks the server which of them still work. If all do, the new connection only reads: writes are refused as by
 * a read-only server, and no further commit hangs. Only the server can tell: to the client such a session looks like one on a lost machine, which
 * must not stop it from writing to the server that took over.
 */
export class GivenUpSessions {
  private pids = new Set<number>();

  constructor(private readonly most: number) {}

  heed(pool: Pool): void {
    pool.on('release', (error: Error | undefined, client) => {
      const { processID } = client as unknown as { processID: number };
      if (error?.message === GIVEN_UP) this.pids.add(processID);
    });
    stuckIn.set(pool, () => this.pids.size);
  }

  /** Called before a new connection is used. */
  async admit(client: ClientBase): Promise<void> {
    if (this.pids.size < this.most) return;
    const { rows } = await client.query<{ pid: number }>(STILL_AT_WORK, [[...this.pids]]);
    this.pids = new Set(rows.map(({ pid }) => pid));
    if (this.pids.size >= this.most) await client.query(READ_ONLY);
  }
}

/** Why the connections of a pool refuse writes. */
export function whyReadOnly(pool: Pool): string {
  const { max } = pool.options;
  if ((stuckIn.get(pool)?.() ?? 0) < max) return 'the database is read-only';
  return `${max} commits or more hang in the database, so no other is begun: bring the synchronous standby back, or take it out of synchronous_standby_names`;
}
