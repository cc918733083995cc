import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from 'nats';
import pino from 'pino';
import { readEnv } from '@lib/settings/read-env';
import { examine } from '../../src/doctor/doctor';
import { Intakes } from '../../src/parts/intakes';
import { openProcess } from '../../src/parts/process';
import { Closing } from '../../src/parts/closing';
import { readRoles } from '../../src/roles';
import { startNats, type NatsOptions, type RunningNats } from '../servers/nats';
import { eventually } from './eventually';

interface KeyPair {
  getPublicKey(): string;
  getSeed(): Uint8Array;
  sign(text: Uint8Array): Uint8Array;
}
const { createUser, createAccount, createOperator } = nkeys as Record<'createUser' | 'createAccount' | 'createOperator', () => KeyPair>;

/** Every way to log in, on real servers: with the right one a worker is ready, with another it says what is wrong, and so does the doctor. */
const SECRET = `s${randomBytes(12).toString('hex')}`;
const folder = mkdtempSync(join(tmpdir(), 'nats-login-'));
const servers: RunningNats[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

async function start(lines: string, options: NatsOptions = {}): Promise<RunningNats> {
  const server = await startNats({ ...options, more: { lines } });
  servers.push(server);
  return server;
}

interface Found {
  /** Why it is not ready, as the log says; null if it is. */
  trouble: string | null;
  logged: string;
  /** What the doctor says of NATS. */
  checks: { name: string; status: string; detail: string; remedy: string | null }[];
}

async function login(server: RunningNats, settings: Record<string, string>): Promise<Found> {
  const environment = { NATS_URL: server.url, ...settings };
  const roles = readRoles('worker');
  const lines: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const closing = new Closing();
  const process = await openProcess({ env: readEnv(environment), roles, logger, intakes: new Intakes(logger), closing });
  await process.health.ask();
  const said = lines.map((line) => JSON.parse(line) as { reason?: string; why?: string });
  const trouble = said.find(({ reason }) => reason === 'not_ready')?.why ?? null;
  await closing.disposeAsync();
  const checks = await examine({ environment, roles, live: false, today: new Date() });
  return { trouble, logged: lines.join(''), checks: checks.filter(({ name }) => ['nats', 'jetstream', 'settings'].includes(name)) };
}

function expectReady({ trouble, checks }: Found): void {
  expect(trouble).toBeNull();
  expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
}

function expectNamed({ trouble, logged, checks }: Found, reason: string, what: RegExp, remedy: RegExp): void {
  expect(trouble).toMatch(what);
  expect(trouble).toMatch(remedy);
  expect(logged).toContain(`"reason":"${reason}"`);
  expect(checks).toContainEqual(expect.objectContaining({ status: 'problem', remedy: expect.stringMatching(remedy) as string }));
  for (const said of [trouble, logged, JSON.stringify(checks)]) expect(said).not.toContain(SECRET);
}

const REFUSED = ['nats_login_refused', /refuses the login/, /Check the user and password, token, nkey or credentials/] as const;
const NO_TLS = ['nats_tls_refused', /do not agree on TLS/, /NATS_CA_FILE/] as const;

it('a user and password', async () => {
  const server = await start(`authorization { user: worker, password: "${SECRET}" }\n`);
  expectReady(await login(server, { NATS_USER: 'worker', NATS_PASSWORD: SECRET }));
  expectReady(await login(server, { NATS_USER_FILE: file('user', 'worker\n'), NATS_PASSWORD_FILE: file('password', SECRET) }));
  expectNamed(await login(server, { NATS_USER: 'worker', NATS_PASSWORD: `${SECRET}x` }), ...REFUSED);
  expectNamed(await login(server, {}), ...REFUSED);
});

it('a token', async () => {
  const server = await start(`authorization { token: "${SECRET}" }\n`);
  expectReady(await login(server, { NATS_TOKEN: SECRET }));
  expectReady(await login(server, { NATS_TOKEN_FILE: file('token', SECRET) }));
  expectNamed(await login(server, { NATS_TOKEN: `${SECRET}x` }), ...REFUSED);
});

it('an nkey', async () => {
  const [user, stranger] = [createUser(), createUser()];
  const server = await start(`authorization { users: [ { nkey: ${user.getPublicKey()} } ] }\n`);
  const seed = Buffer.from(user.getSeed()).toString();
  expectReady(await login(server, { NATS_NKEY: seed }));
  expectReady(await login(server, { NATS_NKEY_FILE: file('user.nk', `${seed}\n`) }));
  expectNamed(await login(server, { NATS_NKEY: Buffer.from(stranger.getSeed()).toString() }), ...REFUSED);
});

it('a credentials file, which may be renewed while the process runs', async () => {
  const [operator, account, user] = [createOperator(), createAccount(), createUser()];
  const accountJwt = jwt(operator, account.getPublicKey(), { type: 'account', limits: UNLIMITED });
  const system = createAccount();
  const preloaded = {
    [account.getPublicKey()]: accountJwt,
    [system.getPublicKey()]: jwt(operator, system.getPublicKey(), { type: 'account' }),
  };
  const lines = {
    operator: jwt(operator, operator.getPublicKey(), { type: 'operator' }),
    system_account: system.getPublicKey(),
    resolver: 'MEMORY',
    resolver_preload: preloaded,
  };
  const server = await start(
    Object.entries(lines)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join(''),
  );
  const credentials = (issuer: KeyPair) =>
    `-----BEGIN NATS USER JWT-----\n${jwt(issuer, user.getPublicKey(), { type: 'user', subs: -1, data: -1, payload: -1 })}\n------END NATS USER JWT------\n\n` +
    `-----BEGIN USER NKEY SEED-----\n${Buffer.from(user.getSeed()).toString()}\n------END USER NKEY SEED------\n`;
  const path = file('user.creds', credentials(createAccount()));
  expectNamed(await login(server, { NATS_CREDENTIALS_FILE: path }), ...REFUSED);
  const roles = readRoles('worker');
  const closing = new Closing();
  const logger = pino({ level: 'silent' });
  const env = readEnv({ NATS_URL: server.url, NATS_CREDENTIALS_FILE: path });
  const { transport } = await openProcess({ env, roles, logger, intakes: new Intakes(logger), closing });
  expect(transport.trouble()).toMatch(/refuses the login/);
  file('user.creds', credentials(account));
  await eventually(null, async () => transport.trouble());
  await closing.disposeAsync();
  expectReady(await login(server, { NATS_CREDENTIALS_FILE: path }));
});

it('an own CA and a client certificate', async () => {
  const { ca, server: pair, client, stranger } = certificates();
  const tls = (verify: boolean) => `tls { cert_file: "${pair.cert}", key_file: "${pair.key}", ca_file: "${ca.cert}", verify: ${verify} }\n`;
  const atName = (running: RunningNats) => ({ ...running, url: running.url.replace('127.0.0.1', 'localhost') });
  const [open, strict] = [atName(await start(tls(false))), atName(await start(tls(true)))];
  expectReady(await login(open, { NATS_CA_FILE: ca.cert }));
  expectReady(await login({ ...open, url: open.url.replace('nats:', 'tls:') }, { NATS_CA_FILE: ca.cert }));
  expectNamed(await login(open, {}), ...NO_TLS);
  expectNamed(await login(open, { NATS_CA_FILE: stranger.cert }), ...NO_TLS);
  const known = { NATS_CA_FILE: ca.cert, NATS_CERTIFICATE_FILE: client.cert, NATS_CERTIFICATE_KEY_FILE: client.key };
  expectReady(await login(strict, known));
  expectNamed(await login(strict, { NATS_CA_FILE: ca.cert }), ...NO_TLS);
  expectNamed(await login(strict, { ...known, NATS_CERTIFICATE_FILE: stranger.cert, NATS_CERTIFICATE_KEY_FILE: stranger.key }), ...NO_TLS);
});

it('a server without TLS is refused by whoever names a certificate, before the login is sent', async () => {
  const { ca } = certificates();
  const server = await start(`authorization { token: "${SECRET}" }\n`);
  expectNamed(await login(server, { NATS_CA_FILE: ca.cert, NATS_TOKEN: SECRET }), ...NO_TLS);
});

it('a server without JetStream is told as that, with the remedy', async () => {
  const server = await start('', { withoutJetStream: true });
  expectNamed(await login(server, {}), 'nats_no_jetstream', /JetStream is not enabled/, /Start nats-server with -js/);
});

it('an account without JetStream too', async () => {
  const server = await start(`accounts { A: { users: [ { user: worker, password: "${SECRET}" } ] }, B: { jetstream: enabled } }\n`);
  const found = await login(server, { NATS_USER: 'worker', NATS_PASSWORD: SECRET });
  expectNamed(found, 'nats_no_jetstream', /JetStream is not enabled/, /enable it for the account/);
});

it('a server that does not run is told as that', async () => {
  const server = await start('');
  await server.stop();
  expectNamed(await login(server, {}), 'nats_unreachable', /NATS does not answer/, /its server runs/);
});

const UNLIMITED = {
  ...{ subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 },
  ...{ mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 },
};

/** As `nsc` makes them. */
function jwt(issuer: KeyPair, subject: string, nats: object): string {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: randomBytes(8).toString('hex'),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    sub: subject,
    name: 'test',
  };
  const signed = `${encoded({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encoded({ ...claims, nats: { version: 2, ...nats } })}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}

interface Pair {
  cert: string;
  key: string;
}

function certificates(): Record<'ca' | 'server' | 'client' | 'stranger', Pair> {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore', cwd: folder });
  const pair = (name: string): Pair => ({ cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) });
  const made = (name: string, ...words: string[]): Pair => {
    const { cert, key } = pair(name);
    const fresh = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1', '-subj', `/CN=${name}`];
    openssl('req', ...fresh, '-keyout', key, '-out', cert, ...words);
    return { cert, key };
  };
  const ca = made('ca');
  const by = (issuer: Pair) => ['-CA', issuer.cert, '-CAkey', issuer.key, '-addext', 'subjectAltName=DNS:localhost'];
  return { ca, server: made('server', ...by(ca)), client: made('client', ...by(ca)), stranger: made('stranger') };
}
