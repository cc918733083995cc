import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

import fc from '../support/properties';

import { PROVIDERS } from '@lib/domain/vocabulary';
import { KEY_VARIABLES } from '@lib/providers/registry';
import { Env } from '@lib/settings/env';
import { readEnv } from '@lib/settings/read-env';
import { leaseTimes } from '@lib/settings/lease-times';
import { SettingsError } from '@lib/settings/settings-error';

const KEY = Buffer.alloc(32, 7).toString('base64');

function problemsOf(environment: NodeJS.ProcessEnv): SettingsError {
  try {
    readEnv(environment, KEY_VARIABLES);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

function secretFile(content: string | Buffer): string {
  const file = join(mkdtempSync(join(tmpdir(), 'secret-')), 'value');
  writeFileSync(file, content);
  return file;
}

describe('the environment', () => {
  it('may be empty', () => {
    expect(readEnv({})).toEqual(new Env());
    expect(readEnv({})).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', BASE_PATH: '', LEASE_MS: 30_000, WORKER_PROVIDERS: PROVIDERS });
    expect(isAbsolute(readEnv({}).DATA_DIR)).toBe(true);
  });

  it('says everything under the names of its variables', () => {
    const env = readEnv({
      PORT: '0',
      HOST: '0.0.0.0',
      DATA_DIR: 'data',
      DATABASE_URL: 'postgres://user:word@db.example:5432/research',
      NATS_URL: 'nats://one.example:4222, tls://two.example',
      NATS_PREFIX: 'blue',
      MASTER_KEY: KEY,
      API_KEY_PEPPER: 'sixteen-or-more!',
      BOOTSTRAP_API_KEY: 'rt_live_abc_DEF123',
      LOG_LEVEL: 'debug',
      WORKER_PROVIDERS: 'provider-e,provider-a',
      BUDGET_CAPS: 'XXS=50, XL=9000',
      MARKUP_PERCENT: '12.5',
      TENANT_LIMITS: 'requestsPerMinute=600, burst=50,openJobs=0,dailyCents=5000',
      KEY_LIMITS: 'requestsPerMinute=60,openJobs=5,dailyCents=0',
      TRUSTED_PROXIES: '10.0.0.0/8, 2001:db8::7',
    });
    expect(env).toMatchObject({ PORT: 0, HOST: '0.0.0.0', DATA_DIR: resolve('data'), NATS_PREFIX: 'blue', LOG_LEVEL: 'debug' });
    expect(env.NATS_URL).toBe('nats://one.example:4222,tls://two.example');
    expect(env.MASTER_KEY?.equals(Buffer.alloc(32, 7))).toBe(true);
    expect(env.WORKER_PROVIDERS).toEqual(['provider-a', 'provider-e']);
    expect(env.BUDGET_CAPS).toEqual({ XXS: 50, XS: 200, S: 500, M: 1500, L: 3000, XL: 9000 });
    expect(env.MARKUP_PERCENT).toBe(12.5);
    expect(env.TENANT_LIMITS).toEqual({ requestsPerMinute: 600, burst: 50, openJobs: 0, dailyCents: 5000 });
    expect(env.KEY_LIMITS).toEqual({ requestsPerMinute: 60, openJobs: 5, dailyCents: 0 });
    expect(env.TRUSTED_PROXIES).toEqual(['10.0.0.0/8', '2001:db8::7']);
  });

  it('takes an empty variable for an unset one and ignores unknown ones', () => {
    expect(readEnv({ PORT: '', MASTER_KEY: ' ', DATABASE_URL: '', PATH: '/bin', PORTS: 'x' })).toEqual(new Env());
  });

  it.each([
    ['research', '/research'],
    ['/research/', '/research'],
    ['/a/b//', '/a/b'],
    ['/', ''],
  ])('reads the base path %j as %j', (BASE_PATH, expected) => {
    expect(readEnv({ BASE_PATH }).BASE_PATH).toBe(expected);
  });

  it('reads origins as browsers send them', () => {
    const origins = ['https://app.example.org', 'http://localhost:8080', 'http://[::1]:3000'];
    expect(readEnv({ CORS_ORIGINS: origins.join(' , ') }).CORS_ORIGINS).toEqual(origins);
  });

  it('does not let one reading change the defaults of the next', () => {
    readEnv({ BUDGET_CAPS: 'XXS=1' });
    expect(readEnv({}).BUDGET_CAPS.XXS).toBe(100);
  });
});

describe('a wrong variable', () => {
  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', '1e3'],
    ['PORT', 'http'],
    ['HOST', 'two words'],
    ['BASE_PATH', '/a b'],
    ['BASE_PATH', '/a?b'],
    ...[
      'x',
      'requestsPerMinute',
      'requestsPerMinute=0',
      'requestsPerMinute=1.5',
      'requestsPerMinute=-1',
      'openJobs=1,openJobs=2',
      'burst=5',
    ].map((text) => ['TENANT_LIMITS', text]),
    ['TENANT_LIMITS', 'requestsPerMinute=6000001'],
    ['TENANT_LIMITS', 'openJobs=1;dailyCents=2'],
    ['KEY_LIMITS', 'openJobs=-5'],
    ['KEY_LIMITS', 'requestsPerMinute=60,'],
    ['RETAIN_THREADS_DAYS', '-1'],
    ['RETAIN_THREADS_DAYS', '0.5'],
    ['RETAIN_THREADS_DAYS', '30d'],
    ['RETAIN_THREADS_DAYS', '36501'],
    ['RETAIN_SKELETONS_DAYS', '-1'],
    ['RETAIN_SKELETONS_DAYS', '1.5'],
    ['RETAIN_SKELETONS_DAYS', '36501'],
    ['AUDIT_READS_DAYS', '0'],
    ['AUDIT_READS_DAYS', '1.5'],
    ['AUDIT_READS_DAYS', '36501'],
    ['LOGIN_FAILURES_PER_MINUTE', '-1'],
    ['LOGIN_FAILURES_PER_MINUTE', '100001'],
    ...['10.0.0.0/33', 'proxy.example.org', '10.0.0', '*', '10.0.0.1,', 'fe80::1%eth0'].map((text) => ['TRUSTED_PROXIES', text]),
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'null'],
    ['CORS_ORIGINS', 'app.example.org'],
    ['CORS_ORIGINS', 'https://app.example.org/'],
    ['CORS_ORIGINS', 'https://App.example.org'],
    ['CORS_ORIGINS', 'https://app.example.org:443'],
    ['CORS_ORIGINS', 'https://*.example.org'],
    ['CORS_ORIGINS', 'https://a@app.example.org'],
    ['CORS_ORIGINS', 'file:///tmp'],
    ['CORS_ORIGINS', 'https://a.example,,https://b.example'],
    ['NATS_PREFIX', 'a.b'],
    ['NATS_PREFIX', 'a*'],
    ['LOG_LEVEL', 'loud'],
    ['WEBHOOK_LOOPBACK', 'true'],
    ['WEBHOOK_LOOPBACK', 'Allowed'],
    ['LEASE_MS', '0'],
    ['QUEUE_DEADLINE_MS', '2147483648'],
    ['DRAIN_MS', '10s'],
    ['WORKER_SLOTS', '0'],
    ['DATABASE_POOL', '1000'],
    ['METRICS_TENANTS', 'acme,acme'],
    ['METRICS_TENANTS', 'acme,'],
    ['METRICS_TENANTS', 'a b'],
    ['METRICS_TENANTS', 'x{1}'],
    ['WORKER_PROVIDERS', 'provider-a,openai'],
    ['WORKER_PROVIDERS', 'provider-a,provider-a'],
    ['WORKER_PROVIDERS', ','],
    ['BUDGET_CAPS', 'XXS'],
    ['BUDGET_CAPS', 'HUGE=1'],
    ['BUDGET_CAPS', 'XS=0'],
    ['BUDGET_CAPS', 'XS=1,XS=2'],
    ['BUDGET_CAPS', 'S=1e3'],
    ['BUDGET_CAPS', 'XXS=900'],
    ['BALANCE', 'on'],
    ['BALANCE', 'Required'],
    ['BALANCE', '1500'],
    ['MARKUP_PERCENT', '-5'],
    ['MARKUP_PERCENT', '1000.01'],
    ['MARKUP_PERCENT', '12.345'],
    ['MARKUP_PERCENT', '12,5'],
    ['MARKUP_PERCENT', '20%'],
    ['MARKUP_PERCENT', '1e2'],
    ['MARKUP_PERCENT', 'NaN'],
  ])('%s=%s is named with its value and a remedy', (name, value) => {
    const { problems, message } = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.name).toBe(name);
    expect(problems[0]?.remedy).toMatch(/^(must|and)/);
    expect(message).toContain(value.replace('a@', '…@'));
  });

  it.each([':', '?', '@', '://', 'a'])('is named at once, however long and full of %s it is', (part) => {
    const begun = performance.now();
    expect(problemsOf({ BALANCE: `${part.repeat(100_000)}@` }).problems).toMatchObject([{ name: 'BALANCE' }]);
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it.each([
    [{ HEARTBEAT_MS: '15000' }, 'HEARTBEAT_MS'],
    [{ LEASE_MS: '19999' }, 'HEARTBEAT_MS'],
    [{ LEASE_MS: '299', HEARTBEAT_MS: '100', SWEEP_MS: '100' }, 'LEASE_MS'],
    [{ SWEEP_MS: '30001' }, 'SWEEP_MS'],
    [{ REDISPATCH_FIRST_MS: '40000' }, 'REDISPATCH_FIRST_MS'],
    [{ PORT: '3190', ADMIN_PORT: '3190' }, 'ADMIN_PORT'],
    [{ ADMIN_PORT: '3000' }, 'ADMIN_PORT'],
  ])('%j contradicts another one', (environment, name) => {
    expect(problemsOf(environment).problems.map((problem) => problem.name)).toEqual([name]);
  });

  it('names the caps that fall, and shows them as they were written', () => {
    expect(problemsOf({ BUDGET_CAPS: 'XXS=10, L=100' }).problems).toEqual([
      { name: 'BUDGET_CAPS', value: '"XXS=10, L=100"', remedy: expect.stringMatching(/: L is 100 and M is 1500$/) as string },
    ]);
  });

  it('lets the system choose both ports', () => {
    expect(readEnv({ PORT: '0', ADMIN_PORT: '0' })).toMatchObject({ PORT: 0, ADMIN_PORT: 0 });
  });

  it('leaves a lease the time for a beat, a repetition of it, a broker that died in silence, and the renewal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000 }), (lease, beat) => {
        const environment = { LEASE_MS: String(lease), HEARTBEAT_MS: String(beat), SWEEP_MS: '1' };
        fc.pre(beat * 2 < lease && lease - beat >= 200);
        const { heartbeatMs, tryMs, brokerSilenceMs, probeMs, leaseMs, reportsMs } = leaseTimes(readEnv(environment));
        expect(heartbeatMs + tryMs + brokerSilenceMs + tryMs).toBeLessThanOrEqual(leaseMs);
        expect(tryMs).toBeGreaterThanOrEqual(50);
        expect(probeMs).toBeLessThanOrEqual(tryMs);
        expect(reportsMs).toBeLessThanOrEqual(leaseMs);
      }),
    );
    expect(leaseTimes(readEnv({}))).toEqual({
      leaseMs: 30_000,
      heartbeatMs: 10_000,
      tryMs: 5_000,
      probeMs: 2_500,
      brokerSilenceMs: 10_000,
      reportsMs: 21_334,
    });
  });

  it('does not hide another one', () => {
    const { problems, message } = problemsOf({ PORT: 'x', LOG_LEVEL: 'y', DATABASE_URL: 'z', DRAIN_MS: '0' });
    expect(problems.map(({ name }) => name).sort()).toEqual(['DATABASE_URL', 'DRAIN_MS', 'LOG_LEVEL', 'PORT']);
    expect(message.split('\n')).toHaveLength(5);
  });

  it('is shown on one short line, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 400, unit: 'binary' }), (noise) => {
        const { message } = problemsOf({ LOG_LEVEL: `x${noise}` });
        expect(message.split('\n')).toHaveLength(2);
        expect(message.length).toBeLessThan(400);
      }),
    );
  });
});

describe('a secret', () => {
  const SECRETS = [
    'DATABASE_URL',
    'NATS_URL',
    'MASTER_KEY',
    'MASTER_KEYS',
    'API_KEY_PEPPER',
    'BOOTSTRAP_API_KEY',
    ...KEY_VARIABLES,
  ] as const;

  it.each(SECRETS)('%s is never printed', (name) => {
    const { message, problems } = problemsOf({ [name]: 'hunter2' });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ name, value: null });
    expect(message).not.toContain('hunter2');
  });

  it('is not printed either when it is wrong inside its file', () => {
    const { message } = problemsOf({ DATABASE_URL_FILE: secretFile('http://hunter2@db/') });
    expect(message).not.toContain('hunter2');
    expect(message).toContain('DATABASE_URL');
  });

  it('can lie in a file, with white space around it', () => {
    expect(readEnv({ MASTER_KEY_FILE: secretFile(`${KEY}\n`) }).MASTER_KEY).toHaveLength(32);
    expect(readEnv({ API_KEY_PEPPER_FILE: secretFile('  sixteen or more!\r\n') }).API_KEY_PEPPER).toBe('sixteen or more!');
  });

  it.each(KEY_VARIABLES)('%s is a key that fits into a header', (name) => {
    expect(readEnv({ [name]: ' sk-test-0123456789 ' }, KEY_VARIABLES).providerKeys[name]).toBe('sk-test-0123456789');
    expect(readEnv({ [`${name}_FILE`]: secretFile('sk-test-0123456789\n') }, KEY_VARIABLES).providerKeys[name]).toBe('sk-test-0123456789');
    expect(problemsOf({ [name]: 'sk-test\r\nx-other: 1' }).problems).toMatchObject([{ name, value: null }]);
  });

  it('of a provider is not even read by a process that must not hold it', () => {
    const environment = {
      OPENAI_API_KEY: 'sk-test-0123456789',
      XAI_API_KEY_FILE: join(tmpdir(), 'no', 'such', 'file'),
      GEMINI_API_KEY: '?',
    };
    expect(readEnv(environment)).toEqual(new Env());
  });

  it('must not be set twice', () => {
    const { message } = problemsOf({ MASTER_KEY: KEY, MASTER_KEY_FILE: secretFile(KEY) });
    expect(message).toMatch(/MASTER_KEY and MASTER_KEY_FILE are both set/);
    expect(message).not.toContain(KEY);
  });

  it.each([
    ['nothing', () => join(tmpdir(), 'no', 'such', 'file')],
    ['a folder', () => tmpdir()],
    ['an empty file', () => secretFile('\n')],
    ['a file too large for a secret', () => secretFile(Buffer.alloc(70_000, 'x'))],
  ])('cannot come from %s', (_, file) => {
    expect(problemsOf({ API_KEY_PEPPER_FILE: file() }).problems.map(({ name }) => name)).toEqual(['API_KEY_PEPPER_FILE']);
  });

  it.each(['c2hvcnQ=', `${KEY}AAAA`, 'not base64 at all, but of a decent length!!', KEY.slice(0, -2)])(
    'is no master key as %j',
    (MASTER_KEY) => {
      expect(problemsOf({ MASTER_KEY }).problems.map(({ name }) => name)).toEqual(['MASTER_KEY']);
    },
  );

  it('may be several master keys, newest first, each once and not beside the one', () => {
    const other = Buffer.alloc(32, 8).toString('base64');
    const read = (environment: Record<string, string>) => readEnv(environment).MASTER_KEYS.map((key) => key[0]);
    expect(read({ MASTER_KEYS: ` ${other} , ${KEY} ` })).toEqual([8, 7]);
    expect(read({ MASTER_KEYS_FILE: secretFile(`${KEY}\n${other}\n`) })).toEqual([7, 8]);
    for (const MASTER_KEYS of [`${KEY},${KEY}`, `${KEY},c2hvcnQ=`, ',', `${KEY}${other}`])
      expect(problemsOf({ MASTER_KEYS }).problems).toMatchObject([{ name: 'MASTER_KEYS', value: null }]);
    const { message } = problemsOf({ MASTER_KEYS: other, MASTER_KEY: KEY });
    expect(message).toMatch(/MASTER_KEYS and MASTER_KEY are both set/);
    expect(message).not.toContain(KEY);
  });

  it.each(['mysql://db/x', 'postgres://', 'db.example:5432', 'postgres://a/x,postgres://b/y'])(
    'is no database URL as %j',
    (DATABASE_URL) => {
      expect(problemsOf({ DATABASE_URL }).problems.map(({ name }) => name)).toEqual(['DATABASE_URL']);
    },
  );
});

it('tells at most 50 tenants apart', () => {
  const named = (tenants: number) => Array.from({ length: tenants }, (_, number) => `tenant-${number}`).join();
  expect(readEnv({ METRICS_TENANTS: named(50) }).METRICS_TENANTS).toHaveLength(50);
  expect(problemsOf({ METRICS_TENANTS: named(51) }).message).toContain('must be at most 50 names of tenants');
});
