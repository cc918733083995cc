import { Client } from 'pg';
import type { RunningPostgres } from '../../src/embedded/postgres';
import { findOldestPostgres, OLDEST_MAJOR } from '../servers/postgres-releases';

/**
 * The specs of the write path once more, on the oldest PostgreSQL that is promised, as an owner who may make databases and nothing else: the
 * migrations say nothing of the bodies of functions, which the database reads when they run.
 */
const SPECS = [
  './execute.spec',
  './event-table.spec',
  './erasure.spec',
  './agenda.spec',
  './admission.spec',
  './idempotent-requests.spec',
  './limits.spec',
  '../access/key-history.spec',
  '../access/key-use.spec',
  './balances.spec',
  './interleavings.spec',
  './job-pages.spec',
  '../webhooks/webhook-changes.spec',
  '../webhooks/delivery.spec',
];

const oldest = findOldestPostgres();
if (!oldest) it.skip(`NOT TRIED: PostgreSQL ${OLDEST_MAJOR}, which neither npm nor Debian has put on this machine`, () => undefined);

(oldest ? describe : describe.skip)(`on ${oldest?.name ?? 'the oldest PostgreSQL'}`, () => {
  let server: RunningPostgres;
  const before = process.env.TEST_DATABASE_URL;
  beforeAll(async () => {
    server = await (oldest as NonNullable<typeof oldest>).start();
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    await admin.query('create role owner login createdb');
    // Some of the specs want no deadlock to be noticed.
    await admin.query('grant set on parameter deadlock_timeout to owner');
    const { rows } = await admin.query<{ major: number }>(`select current_setting('server_version_num')::int / 10000 as major`);
    expect(rows).toEqual([{ major: OLDEST_MAJOR }]);
    await admin.end();
    process.env.TEST_DATABASE_URL = Object.assign(new URL(server.url), { username: 'owner' }).href;
  });
  afterAll(async () => {
    process.env.TEST_DATABASE_URL = before;
    await server?.stop();
  });

  // eslint-disable-next-line @typescript-eslint/no-require-imports -- they describe their tests where they are loaded
  for (const spec of SPECS) describe(spec, () => void require(spec));
});
