import { JOB_ROLES } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import { expectIntact } from '../support/auditor';
import { Client } from '../support/client';
import { HOLD } from '../support/hold';
import { Load } from '../support/load';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(180_000);

const QUESTION = { message: 'Is this written?', budget: 'S' };

let supervisor: Supervisor;
beforeEach(async () => {
  supervisor = await Supervisor.start();
});
afterEach(() => supervisor?.close());

/** As an administrator does who wants to be safe from careless programs. */
async function startWith(setting: string): Promise<void> {
  const { rows } = await supervisor.pool.query<{ name: string }>('select current_database() as name');
  await supervisor.pool.query(`alter database ${rows[0]?.name} set ${setting}`);
  await Promise.all(JOB_ROLES.map((role) => supervisor.start(role)));
}

/** Holds a table until somebody waits for it, and for some time longer. */
async function holding<Answer>(table: string, forMs: number, work: () => Promise<Answer>): Promise<Answer> {
  const holder = await supervisor.pool.connect();
  await holder.query(`${HOLD}; lock table ${table} in access exclusive mode`);
  try {
    const working = work();
    await eventually(true, async () => (await supervisor.blockedSessions()).length > 0);
    await holder.query(`select pg_sleep(${forMs / 1000})`);
    await holder.query('commit');
    return await working;
  } finally {
    holder.release(true);
  }
}

it('a database that is serializable by default changes no answer', async () => {
  await startWith('default_transaction_isolation = serializable');
  await supervisor.start('api');
  await supervisor.start('saga');
  const load = new Load(supervisor, { jobs: 60, atATime: 12 });
  // Any 500 fails it.
  await expectIntact(supervisor, load);
  expect(new Set(load.endings.values())).toEqual(new Set(['completed']));
});

it('a read waits for a table as long as ever where locks are given up sooner by default', async () => {
  await startWith(`lock_timeout = '50ms'`);
  const client = new Client(supervisor);
  expect(await holding('thread', 500, () => client.call('GET', '/v1/threads'))).toMatchObject({ status: 200 });
});

it('a transaction that the server ends since it took too long is told as an outage, and everything goes on', async () => {
  await startWith(`transaction_timeout = '1s'`);
  const client = new Client(supervisor);
  const answer = await holding('event', 3_500, () => client.call('POST', '/v1/threads', QUESTION));
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  const load = new Load(supervisor, { jobs: 4 });
  await expectIntact(supervisor, load);
});
