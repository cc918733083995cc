import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnv } from '@lib/settings/read-env';
import { connectAlone, createPool } from '@lib/store/postgres/pool';
import { migrate } from '@lib/store/postgres/migrations';
import { ormOver } from '@lib/store/postgres/orm';
import { Tenant } from '@lib/store/access/access-entities';
import { eventually } from '../messaging/eventually';
import { hasOpenssl } from '../servers/certificates';
import { CERTIFIED, PASSWORD, SECRETIVE, startTlsPostgres, type TlsPostgres } from '../servers/tls-postgres';
import { ExaminedFolder } from '../doctor/examined-folder';
import { research } from '../system/support/command';
import { startSystem } from '../system/support/system';

/**
 * Somebody between the service and its database: reads what is not encrypted, and answers in the database's place with a certificate of
 * their own. What `DATABASE_URL` says against it must hold for every connection, on a server that takes only TLS.
 */

jest.setTimeout(120_000);

const described = hasOpenssl() ? describe : describe.skip;
if (!hasOpenssl()) it.skip('NOT TRIED: TLS to PostgreSQL, for lack of openssl', () => undefined);

described('the connections to PostgreSQL', () => {
  let server: TlsPostgres;
  let database: URL;
  let examined: ExaminedFolder;
  beforeAll(async () => {
    server = await startTlsPostgres();
    database = await server.database();
    await migrate(urlWith({ sslmode: 'require' }));
    examined = new ExaminedFolder();
  });
  afterAll(async () => {
    examined?.remove();
    await server?.stop();
  });

  const at = (base: URL, parameters: Record<string, string>): string => {
    const url = new URL(base);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url.href;
  };
  const urlWith = (parameters: Record<string, string>): string => at(database, parameters);

  /** Null if a pool and a lone connection get in, else why not: the same of both. */
  async function refusal(url: string): Promise<string | null> {
    const reasonOf = (error: Error): string => error.message;
    const alone = await connectAlone(url).then(async (client) => void (await client.end()), reasonOf);
    const pool = createPool(url, 1);
    const pooled = await pool.query('select 1').then(() => undefined, reasonOf);
    const entities = await ormOver(pool)
      .em.fork()
      .count(Tenant)
      .then(() => undefined, reasonOf);
    await pool.end();
    expect(pooled).toBe(alone);
    if (alone !== undefined) expect(entities).toContain(alone);
    return entities ?? null;
  }

  const ADDRESS = '127.0.0.1';
  const UNENCRYPTED = /no encryption|pg_hba/;
  const UNKNOWN = /self-signed certificate in certificate chain|unable to verify|unable to get/;
  const ANOTHER_NAME = /does not match certificate|Hostname\/IP/;
  it.each<[string, () => Record<string, string>, RegExp | null]>([
    ['no sslmode is not encrypted, and refused', () => ({}), UNENCRYPTED],
    ['disable is not encrypted, and refused', () => ({ sslmode: 'disable' }), UNENCRYPTED],
    ['require encrypts to whoever answers', () => ({ sslmode: 'require' }), null],
    ['require with roots checks them', () => ({ sslmode: 'require', sslrootcert: server.roots }), null],
    ['require with the wrong roots is refused', () => ({ sslmode: 'require', sslrootcert: server.otherRoots }), UNKNOWN],
    ['verify-ca takes any name', () => ({ sslmode: 'verify-ca', sslrootcert: server.roots, host: ADDRESS }), null],
    ['verify-ca with the wrong roots is refused', () => ({ sslmode: 'verify-ca', sslrootcert: server.otherRoots }), UNKNOWN],
    ['verify-full takes the name of the certificate', () => ({ sslmode: 'verify-full', sslrootcert: server.roots }), null],
    ['verify-full refuses another name', () => ({ sslmode: 'verify-full', sslrootcert: server.roots, host: ADDRESS }), ANOTHER_NAME],
    ['verify-full with the wrong roots is refused', () => ({ sslmode: 'verify-full', sslrootcert: server.otherRoots }), UNKNOWN],
    ['verify-full without roots trusts the public ones', () => ({ sslmode: 'verify-full' }), UNKNOWN],
    ['sslrootcert=system likewise', () => ({ sslrootcert: 'system' }), UNKNOWN],
    ['sslrootcert alone means verify-full', () => ({ sslrootcert: server.roots, host: ADDRESS }), ANOTHER_NAME],
  ])('%s', async (_, parameters, expected) => {
    const refused = await refusal(urlWith(parameters()));
    if (expected === null) expect(refused).toBeNull();
    else expect(refused).toMatch(expected);
  });

  it('show a certificate to whoever asks for one, and it is checked', async () => {
    const certified = await server.database(CERTIFIED);
    const login = (shown: { certificate: string; key: string } | null): string =>
      at(certified, {
        sslmode: 'verify-full',
        sslrootcert: server.roots,
        ...(shown ? { sslcert: shown.certificate, sslkey: shown.key } : {}),
      });
    await migrate(login(server.client));
    expect(await refusal(login(server.client))).toBeNull();
    expect(await refusal(login(null))).toMatch(/valid client certificate/);
    expect(await refusal(login(server.forged))).toMatch(/unknown ca|ECONNRESET|Connection terminated/);
  });

  it('are made with the certificates of the moment, which are renewed while the service runs', async () => {
    const roots = `${server.roots}.renewed`;
    writeFileSync(roots, readFileSync(server.otherRoots));
    const pool = createPool(urlWith({ sslmode: 'verify-full', sslrootcert: roots }), 1);
    await expect(pool.query('select 1')).rejects.toThrow(UNKNOWN);
    writeFileSync(`${roots}.next`, readFileSync(server.roots));
    renameSync(`${roots}.next`, roots);
    await pool.query('select 1');
    rmSync(roots);
    const [{ pid } = { pid: 0 }] = (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    await server.query(`select pg_terminate_backend(${pid}, 5000)`);
    // A file that is missing for a moment is remembered.
    await eventually(true, () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    );
    await pool.end();
  });

  it('go through a socket whatever is said of TLS, however the socket is written', async () => {
    const name = database.pathname;
    for (const url of [
      `postgres:///${name.slice(1)}?host=${server.socketFolder}&port=${server.port}&user=owner`,
      `postgres://owner@${encodeURIComponent(server.socketFolder)}:${server.port}${name}?sslmode=verify-full`,
    ])
      expect(await refusal(readEnv({ DATABASE_URL: url }).DATABASE_URL ?? '')).toBeNull();
  });

  it('are made alike from what the environment says beside the URL', async () => {
    const { hostname: PGHOST, port: PGPORT, username: PGUSER, pathname } = database;
    const environment = { PGHOST, PGPORT, PGUSER, PGDATABASE: pathname.slice(1), PGSSLMODE: 'verify-full', PGSSLROOTCERT: server.roots };
    const url = (changes: Record<string, string>): string =>
      readEnv({ DATABASE_URL: 'postgres:///', ...environment, ...changes }).DATABASE_URL ?? '';
    expect(await refusal(url({}))).toBeNull();
    expect(await refusal(url({ PGSSLROOTCERT: server.otherRoots }))).toMatch(UNKNOWN);
    expect(await refusal(url({ PGHOST: ADDRESS }))).toMatch(ANOTHER_NAME);
    expect(await refusal(url({ DATABASE_URL: urlWith({ sslmode: 'disable' }) }))).toMatch(UNENCRYPTED);
    expect(await refusal(url({ PGOPTIONS: '-c search_path=nowhere' }))).toMatch('relation "tenant" does not exist');
  });

  it('take the password from wherever it is', async () => {
    const own = at(await server.database(SECRETIVE), { sslmode: 'require' });
    const url = (environment: Record<string, string>) => readEnv({ DATABASE_URL: own, ...environment }).DATABASE_URL ?? '';
    await migrate(url({ PGPASSWORD: PASSWORD }));
    expect(await refusal(url({ PGPASSWORD: PASSWORD }))).toBeNull();
    expect(await refusal(url({ PGPASSWORD: 'another' }))).toMatch(/authentication failed/);
    expect(await refusal(url({}))).toMatch(/password/);
    const file = join(examined.path, 'pgpass');
    writeFileSync(file, `localhost:*:*:${SECRETIVE}:${PASSWORD}\n`, { mode: 0o600 });
    process.env.PGPASSFILE = file;
    try {
      expect(await refusal(url({}))).toBeNull();
    } finally {
      delete process.env.PGPASSFILE;
    }
  });

  it('of the whole service are encrypted and checked', async () => {
    const drop = async () => undefined;
    const system = await startSystem({
      environment: { NATS_URL: process.env.TEST_NATS_URL ?? '', NATS_PREFIX: `tls${process.pid}` },
      roles: ['api', 'saga', 'worker', 'synthesizer', 'webhooks'],
      database: { url: urlWith({ sslmode: 'verify-full', sslrootcert: server.roots }), drop },
    });
    const job = await system.client.research({ message: 'q' });
    expect(job.status).toBe('completed');
    const sessions = await server.query<{ ssl: boolean }>(
      `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where datname = '${database.pathname.slice(1)}'`,
    );
    expect(sessions.length).toBeGreaterThan(3);
    expect(sessions.filter(({ ssl }) => !ssl)).toEqual([]);
    await system.stop();
    const wrong = startSystem({ database: { url: urlWith({ sslmode: 'verify-full', sslrootcert: server.otherRoots }), drop } });
    await expect(wrong).rejects.toThrow(UNKNOWN);
  });

  it('of the commands and the doctor are encrypted and checked', async () => {
    const secrets = { MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), API_KEY_PEPPER: 'the pepper of a test' };
    const right = { ...secrets, DATABASE_URL: database.href, PGSSLMODE: 'verify-full', PGSSLROOTCERT: server.roots };
    const wrong = { ...right, PGSSLROOTCERT: server.otherRoots };
    const run = async (environment: Record<string, string>, ...commands: string[][]) =>
      Promise.all(commands.map((command) => research(command, environment)));
    const done = await run(right, ['migrate'], ['keys', 'list', '--tenant', 'any'], ['verify']);
    expect(done.map(({ code, stderr }) => [code, stderr])).toEqual(done.map(() => [0, '']));
    for (const refused of await run(wrong, ['migrate'], ['verify'])) {
      expect(refused.code).not.toBe(0);
      expect(refused.stderr).toMatch(UNKNOWN);
    }
    const { the } = await examined.examine(right);
    expect(the('postgresql')?.status).toBe('ok');
    expect(the('schema')).toMatchObject({ status: 'ok', detail: 'up to date' });
    expect(the('database tls')?.status).toBe('ok');
    const unchecked = await examined.examine({ ...right, PGSSLMODE: 'require', PGSSLROOTCERT: '' });
    expect(unchecked.the('database tls')).toMatchObject({ status: 'warning', remedy: expect.stringContaining('verify-full') });
    expect((await examined.examine(wrong)).the('postgresql')).toMatchObject({ status: 'problem', detail: expect.stringMatching(UNKNOWN) });
  });
});
