import { enterPepper } from '@lib/store/access/pepper';
import { connectAlone, createPool, type Pool } from '@lib/store/postgres/pool';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { enterMasterKeys } from '@lib/store/sealing/master-keys';
import { createTestStore, type TestStore } from '../support/store';
import { HOLD } from '../support/hold';

let test: TestStore;
let pool: Pool;
beforeEach(async () => {
  test = await createTestStore();
  // Of one connection, so that the next user gets the same one if it is given back.
  pool = createPool(test.databaseUrl, 1, 1_000);
});
afterEach(async () => {
  await pool.end();
  await test.close();
});

const WAITING = `select pid from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())`;

/** The session that waits for an advisory lock of this database. */
async function waitingSession(): Promise<number> {
  for (;;) {
    const { rows } = await test.store.pool.query<{ pid: number }>(WAITING);
    if (rows[0]) return rows[0].pid;
  }
}

const ENTRIES: [string, string, (through: Pool) => Promise<void>][] = [
  ['pepper', 'research-threads pepper', (through) => enterPepper(through, 'the pepper of a test')],
  ['master key', 'research-threads master keys', (through) => enterMasterKeys(through, new KeyRing([test.masterKey]))],
];

it.each(ENTRIES)(
  'a session that hangs while a %s is entered is given up: the next user of the pool is answered',
  async (_, lock, enter) => {
    const holder = await test.store.pool.connect();
    await holder.query(HOLD);
    await holder.query('select pg_advisory_xact_lock(hashtext($1))', [lock]);
    const entered = enter(pool).catch((error: unknown) => error);
    const session = await waitingSession();
    // As on a disk that does not answer: no timeout of the server ends its statement, and the rollback behind it is not answered either.
    process.kill(session, 'SIGSTOP');
    try {
      expect(await entered).toMatchObject({ message: 'Query read timeout' });
      expect((await pool.query('select pg_backend_pid() <> $1 as another', [session])).rows).toEqual([{ another: true }]);
    } finally {
      process.kill(session, 'SIGCONT');
      await holder.query('rollback');
      holder.release();
    }
    // Whoever repeats it is not kept waiting by the lock.
    await enter(test.store.pool);
  },
);

describe('a session of the service whose client is gone, or stops in the middle of a message, keeps its locks for a minute at most', () => {
  const TIMEOUTS = `select name, setting from pg_settings where name like 'tcp_%' or name like '%transaction%timeout' or name = 'statement_timeout' order by name`;
  const TCP = { tcp_keepalives_count: '3', tcp_keepalives_idle: '15', tcp_keepalives_interval: '5', tcp_user_timeout: '30000' };
  const timeoutsOf = async (client: Pick<Pool, 'query'>): Promise<unknown> => {
    const { rows } = await client.query<{ name: string; setting: string }>(TIMEOUTS);
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  };

  it.each([
    ['of the service', 4_000, { statement_timeout: '4000', idle_in_transaction_session_timeout: '4000', transaction_timeout: '60000' }],
    [
      'of a long command',
      600_000,
      { statement_timeout: '600000', idle_in_transaction_session_timeout: '30000', transaction_timeout: '1200000' },
    ],
  ])('%s', async (_, statementMs, expected) => {
    const own = createPool(test.databaseUrl, 2, statementMs);
    const first = await own.connect();
    for (const client of [first, own]) expect(await timeoutsOf(client as never)).toEqual({ ...TCP, ...expected });
    first.release();
    await own.end();
  });

  it('of a migration', async () => {
    const client = await connectAlone(test.databaseUrl);
    const none = { statement_timeout: '0', transaction_timeout: '0' };
    expect(await timeoutsOf(client as never)).toEqual({ ...TCP, ...none, idle_in_transaction_session_timeout: '30000' });
    await client.end();
  });
});
