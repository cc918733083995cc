import { createJob, createTestStore, type TestStore } from '../support/store';
import { research, type Ended } from '../system/support/command';

/** Programs are started and waited for, on a machine that may have more to do. */
jest.setTimeout(120_000);

let test: TestStore;
let sound: string;
/** Beside a job of which everything is as it was, one whose history cannot be folded. */
beforeAll(async () => {
  test = await createTestStore();
  const [{ jobId }, broken] = [await createJob(test.store), await createJob(test.store)];
  sound = jobId;
  await withoutTriggers(`update event set type = 'Unheard' where stream_id = $1 and version = 1`, broken.jobId);
});
afterAll(() => test.close());

/** As somebody who owns the database changes what nobody may change. */
async function withoutTriggers(statement: string, id: string): Promise<void> {
  const client = await test.store.pool.connect();
  await client.query('set session_replication_role = replica');
  await client.query(statement, [id]);
  client.release(true);
}

const views = (what: string): Promise<Ended> =>
  research(['views', what], { DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey.toString('base64') });
const drift = () => test.store.pool.query('update job set cost_cents = cost_cents + 9 where id = $1', [sound]);
const UNFOLDED = /^job_\w+: not looked at, .*Unheard.*$/m;

it('a history that cannot be folded, and no difference, ends with 2, and nobody says that nothing differs', async () => {
  for (const what of ['verify', 'rebuild']) {
    const { code, stdout } = await views(what);
    expect({ what, code, stdout }).toEqual({ what, code: 2, stdout: expect.stringMatching(UNFOLDED) as string });
    expect(stdout).not.toContain('Nothing differs any more.');
  }
});

it('a difference beside it ends with 1, and with 2 again once it is repaired', async () => {
  await drift();
  const verified = await views('verify');
  expect({ code: verified.code, differs: verified.stdout.includes(`job ${sound} costCents`) }).toEqual({ code: 1, differs: true });
  expect(verified.stdout).toMatch(UNFOLDED);
  const { code, stdout } = await views('rebuild');
  expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    code: 2,
    last: 'Nothing else differs any more; histories that could not be looked at: 1.',
  });
});

it('what is left unrepaired beside it ends with 1', async () => {
  // The log says that this history had events, so that what follows from them is kept.
  await test.store.pool.query(`insert into log_entry (index, stream_id, version, leaf_hash) values (0, $1, 1, '')`, [sound]);
  await withoutTriggers('delete from event where stream_id = $1', sound);
  const { code, stdout } = await views('rebuild');
  expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
    code: 1,
    last: expect.stringMatching(/^[1-9]\d* could not be repaired\.$/) as string,
  });
});
