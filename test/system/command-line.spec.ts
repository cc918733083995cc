import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { isAlive } from '../../src/embedded/postgres-orphan';
import { eventually } from '../messaging/eventually';
import { failureIn, research, start, type Ended, type Running } from './support/command';
import { HttpClient } from './support/http-client';
import { FAILING, NEVER_MS, writeProvidersFile } from './support/providers-file';

/** Programs are started and waited for, on a machine that may have more to do. */
const PATIENCE_MS = 120_000;
const MASTER_KEY = Buffer.alloc(32, 1).toString('base64');
const API_KEY_PEPPER = 'the pepper of a test';

let folder: string;
/** Port 0: never the service that somebody else runs on this machine. */
let environment: Record<string, string>;

jest.setTimeout(PATIENCE_MS);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'research-command-'));
  environment = { DATA_DIR: join(folder, 'data'), PORT: '0' };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const allOf = <Options extends object>(options: Options) => Object.fromEntries(PROVIDERS.map((provider) => [provider, options]));

/** Process id of the PostgreSQL on the data folder. */
const postgresPid = (dataDir: string): number => Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
/** One a line. */
const documentsIn = ({ stdout }: Ended): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('research ask', () => {
  const ESCAPE = '\u001b';
  /** Turns the direction of what follows, such as the name of who says it. */
  const OVERRIDE = '\u202e';

  it('answers from a folder of documents with the report, the claims and the cost, in plain lines', async () => {
    const documents = join(folder, 'documents');
    mkdirSync(documents);
    writeFileSync(
      join(documents, 'kelm.md'),
      `# Kelm\n\nThe lighthouse of Kelm was built in ${ESCAPE}[31m${OVERRIDE}1874 by the harbour board.\n`,
    );

    const { code, stdout, stderr } = await research(['ask', '--corpus', documents, 'When was the lighthouse of Kelm built?'], environment);

    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
    expect(stdout).toMatch(/^Answering from 1 local document; no provider key set\.\n\n## Answer\n/);
    expect(stdout).toMatch(/1874 by the harbour board\.? \[1\]/);
    expect(stdout).toContain('[Kelm](<corpus:/kelm.md#L3-L3>)');
    expect(stdout).toMatch(/\nClaims:\n- \[medium\] The lighthouse .*\(provider-a, provider-b\)\n/);
    expect(stdout).toMatch(/\nCost: 0 of at most 1500 cents; 2 providers, \d+ s\.\n$/);
    expect(stderr).toMatch(/provider-a completed/);
    for (const control of [ESCAPE, OVERRIDE]) expect(stdout + stderr).not.toContain(control);
    // A corpus of its own has a data folder of its own, which goes with it; what can be made again stays in the usual place.
    expect(readdirSync(join(folder, 'data'))).toEqual(['cache']);
  });

  it('ends with 1 for a job that failed, and says why and what it cost', async () => {
    const own = { ...environment, DATA_DIR: join(folder, 'failing'), PROVIDERS_FILE: writeProvidersFile(folder, allOf(FAILING)) };
    const { code, stdout, stderr } = await research(['ask', '--budget', 'L', 'q'], own);
    expect(stderr).toMatch(/\njob_\w+ of thr_\w+\n/);
    const named = await research(['ask', '--providers', 'provider-d,perplexity', 'q'], own);
    expect(named.stdout).toMatch(
      /^The job is failed\.\n- provider-d: .*\n- provider-a: .*\n\nCost: 0 of at most 1500 cents; 2 providers, \d+ s\.\n$/,
    );
    expect({ code, stdout: stdout.replace(/\d+ s\.\n$/, '0 s.\n') }).toEqual({
      code: 1,
      stdout: [
        'The job is failed.',
        ...['provider-a', 'provider-b', 'provider-c'].map((name) => `- ${name}: The simulated run failed as configured: auth`),
        '',
        'Cost: 0 of at most 3000 cents; 3 providers, 0 s.',
        '',
      ].join('\n'),
    });
    expect(stderr).toContain('✖ provider-a failed [FAILED: auth]\n');
    expect(stderr).toMatch(/✖ synthesis \[FAILED: the job failed\]/);
    expect(stderr).not.toContain('✔ synthesis');
  });

  it('stops what it started when it is interrupted, and says when its job goes on', async () => {
    const dataDir = join(folder, 'interrupted');
    const providers = writeProvidersFile(folder, allOf({ latencyMs: NEVER_MS }));
    const own = { ...environment, HOST: '::1', DATA_DIR: dataDir, PROVIDERS_FILE: providers, DRAIN_MS: '50' };
    const asking = start('cli/main.js', ['ask', 'q'], own);
    await asking.until('provider-a');
    const postgres = postgresPid(dataDir);
    asking.kill('SIGINT');
    const { code, stderr } = await asking.ended;
    expect(code).toBe(130);
    expect(isAlive(postgres)).toBe(false);
    expect(stderr).toMatch(/job_\w+ is not cancelled: it goes on once a service runs on the database of \S+\/interrupted again/);
    expect(stderr).toMatch(/Wait for it: curl .* http:\/\/\[::1\]:0\/v1\/jobs\/job_/);
  });

  /** A service of providers that never answer, and a question that it is asked. */
  async function askedOfService(): Promise<{ service: Running; asking: Running; origin: string; dataDir: string }> {
    const dataDir = join(folder, `it's served`);
    const own = { ...environment, DATA_DIR: dataDir, PROVIDERS_FILE: writeProvidersFile(folder, allOf({ latencyMs: NEVER_MS })) };
    const service = start('main.js', ['all'], { ...own, DRAIN_MS: '50' });
    await service.until('Ctrl-C stops it.');
    const { origin, port } = new URL(/answers at (http\S+)/.exec(service.said())?.[1] ?? '');
    const asking = start('cli/main.js', ['ask', '--budget', 'XS', 'q'], { ...own, PORT: port });
    await asking.until('provider-a');
    return { service, asking, origin, dataDir };
  }

  it('says that the job was deleted with its thread, and not that it goes on', async () => {
    const { service, asking, origin, dataDir } = await askedOfService();
    try {
      const [, job = '', thread = ''] = /(job_\w+) of (thr_\w+)/.exec(asking.said()) ?? [];
      const authorization = `Bearer ${readFileSync(join(dataDir, 'api-key'), 'utf8').trim()}`;
      expect((await fetch(`${origin}/v1/threads/${thread}`, { method: 'DELETE', headers: { authorization } })).status).toBe(200);
      const { code, stdout, stderr } = await asking.ended;
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      const billed = 'Runs that its providers have begun may still be billed, and cannot be seen any more.';
      expect(stderr).toContain(`\n${job} was deleted with its thread ${thread}, which stopped it. ${billed}\n`);
      expect(stderr).not.toMatch(/goes on|Cancel it/);
    } finally {
      service.kill('SIGTERM');
      await service.ended;
    }
  });

  it('says that the job goes on at a service when it is interrupted, what it may cost, and how to wait for it or cancel it', async () => {
    const { service, asking } = await askedOfService();
    try {
      asking.kill('SIGINT');
      const { code, stderr } = await asking.ended;
      expect(code).toBe(130);
      expect(stderr).toMatch(/job_\w+ is not cancelled: it goes on at http:\S+:\d+, and may cost up to 200 cents\./);
      expect(stderr).not.toMatch(/FAILED|stopped: SIGINT|✔ synthesis/);
      const told = (what: string): string => new RegExp(`${what}: +(curl .*)\n`).exec(stderr)?.[1] ?? '';
      expect(told('Wait for it')).toContain('Prefer: wait=');
      const cancelled = execFileSync('sh', ['-c', told('Cancel it')], { encoding: 'utf8' });
      expect(JSON.parse(cancelled)).toMatchObject({ status: 'cancelled' });
    } finally {
      service.kill('SIGTERM');
      await service.ended;
    }
  });
});

describe('the service on the embedded default', () => {
  let dataDir: string;
  let service: Running;
  let address: string;

  const startOn = async () => {
    service = start('main.js', ['all'], { ...environment, DATA_DIR: dataDir });
    await service.until('Ctrl-C stops it.');
    address = /answers at (http\S+)/.exec(service.said())?.[1] ?? '';
  };
  const stop = async (signal: NodeJS.Signals) => {
    const postgres = postgresPid(dataDir);
    service.kill(signal);
    expect((await service.ended).code).toBe(0);
    expect(isAlive(postgres)).toBe(false);
  };
  const operate = (...parameters: string[]) => research(parameters, { ...environment, DATA_DIR: dataDir });

  beforeAll(async () => {
    dataDir = join(folder, 'embedded here');
    await startOn();
  });

  it('says where it answers, shows its first key once, and gives a line to try that works', async () => {
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    const said = service.said();
    expect(said).toContain(`kept in ${join(dataDir, 'api-key').slice(1)}: ${key}\n`);
    const [, header = ''] = new RegExp(`curl -s ${address}/v1/threads -H ("Authorization: Bearer .*?")`).exec(said) ?? [];
    expect(execFileSync('sh', ['-c', `printf %s ${header}`], { cwd: '/', encoding: 'utf8' })).toBe(`Authorization: Bearer ${key}`);
    expect((await new HttpClient(address, key).send('GET', '/v1/threads')).status).toBe(200);
    for (const line of said.split('\n').filter((line) => line.startsWith('{'))) expect(line).not.toContain(key);
  });

  it('shares its database with operators’ commands while it runs', async () => {
    expect(await operate('migrate')).toMatchObject({ code: 0, stdout: 'The schema is up to date.\n' });
    const created = await operate('keys', 'create', '--tenant', 'acme', '--name', 'Ada’s laptop');
    expect(created).toMatchObject({ code: 0, stderr: 'This is the only time the key is shown: keep it safe.\n' });
    const key = created.stdout.trim();
    expect(await new HttpClient(address, key).research({ message: 'What does npm audit do?' })).toMatchObject({ status: 'completed' });

    const keyId = key.slice(8, 20);
    const refused = await operate('keys', 'revoke', keyId, '--tenant', 'default');
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining(`There is no key ${keyId} in force of the tenant default`) });
    // As somebody has it who found it where it should not be. The secret is not repeated, whatever is wrong.
    const wrong = await operate('keys', 'revoke', `rt_live_-${key.slice(9)}`, '--tenant', 'acme');
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('must be the 12 characters after rt_live_ of a key') });
    expect(wrong.stderr).not.toContain(key.slice(21));
    const elsewhere = await operate('keys', 'revoke', key, '--tenant', 'default');
    expect(elsewhere.stderr).toContain(`There is no key ${keyId} in force of the tenant default`);
    expect(elsewhere.stderr).not.toContain(key.slice(21));
    expect(await operate('keys', 'revoke', `Bearer ${key}`, '--tenant', 'acme')).toMatchObject({ code: 0 });
    const listed = await operate('keys', 'list', '--tenant', 'acme');
    expect(listed.stdout).toMatch(
      new RegExp(`^${keyId}\tacme\tAda’s laptop\t\\S+Z\trevoked \\S+Z\tthreads:read,\\S+audit:read\tnever\t\\S+\n$`),
    );
    expect(documentsIn(await operate('keys', 'list', '--tenant', 'acme', '--json'))).toMatchObject([
      { keyId, tenantId: 'acme', name: 'Ada’s laptop', state: 'revoked', scopes: expect.arrayContaining(['audit:read']), expiresAt: null },
    ]);
    expect(await operate('verify-views')).toMatchObject({ code: 0, stdout: '4 histories replayed, 0 differences.\n' });
  });

  it('makes, changes and rotates keys with scopes and an end, and says who did it', async () => {
    const created = await operate('keys', 'create', '--tenant', 'keyed', '--scopes', 'threads:read', '--expires', '30d');
    const keyId = created.stdout.slice(8, 20);
    const statusWith = async (key: string) => (await new HttpClient(address, key.trim()).send('GET', '/v1/threads')).status;
    expect(await statusWith(created.stdout)).toBe(200);
    const rotated = await operate('keys', 'rotate', keyId, '--overlap', '1h');
    expect(rotated).toMatchObject({ code: 0, stderr: expect.stringMatching(`${keyId}, whose place it takes, is refused from \\S+Z on`) });
    expect([await statusWith(created.stdout), await statusWith(rotated.stdout)]).toEqual([200, 200]);
    const changed = await operate('keys', 'change', rotated.stdout.slice(8, 20), '--scopes', 'jobs:write,audit:read', '--expires', 'never');
    expect(changed).toMatchObject({ code: 0, stdout: expect.stringContaining('within ten seconds') });
    const lines = (await operate('keys', 'list', '--tenant', 'keyed')).stdout.split('\n');
    expect(lines[0]).toMatch(/\tin force\tthreads:read\t\S+Z\t\S+$/);
    expect(lines[1]).toMatch(/\tin force\tjobs:write,audit:read\tnever\t\S+$/);
    expect(await operate('verify', 'ten_keyed')).toMatchObject({ code: 0, stdout: expect.stringContaining('Histories: 1, events: 4') });
    const refused = [
      ['create', '--tenant', 'keyed', '--scopes', 'everything'],
      ['create', '--tenant', 'keyed', '--scopes', ''],
      ['change', keyId, '--scopes', ''],
      ['create', '--tenant', 'keyed', '--expires', '2020-01-01'],
      ['rotate', keyId, '--overlap', 'soon'],
      ['rotate', 'unknown'],
      ['change', keyId],
    ];
    for (const parameters of refused) expect(await operate('keys', ...parameters)).toMatchObject({ code: 3, stdout: '' });
  });

  it('makes and lists keys by the database’s clock, however wrong that of the operator’s machine is', async () => {
    const preload = `--require ${join(__dirname, '../chaos/preload.cjs')}`;
    const operateAhead = (minutes: number, ...parameters: string[]) =>
      research(parameters, { ...environment, DATA_DIR: dataDir, NODE_OPTIONS: preload, CLOCK_AHEAD_MS: String(minutes * 60_000) });
    const { stdout: key } = await operateAhead(-10, 'keys', 'create', '--tenant', 'timed', '--expires', '5m');
    expect((await new HttpClient(address, key.trim()).send('GET', '/v1/threads')).status).toBe(200);
    expect((await operateAhead(10, 'keys', 'list', '--tenant', 'timed')).stdout).toMatch(/\tin force\t/);
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    expect(await operateAhead(10, 'keys', 'create', '--tenant', 'timed', '--expires', inMinutes(5))).toMatchObject({ code: 0 });
    expect(await operateAhead(-10, 'keys', 'create', '--tenant', 'timed', '--expires', inMinutes(-5))).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/--expires \S+Z must lie ahead of the database's time, which is \S+Z/) as string,
    });
  });

  it('limits what a key may use, when it is made and later', async () => {
    const created = await operate('keys', 'create', '--tenant', 'limited', '--open-jobs', '7', '--burst', 'default');
    const keyId = (await operate('keys', 'rotate', created.stdout.slice(8, 20))).stdout.slice(8, 20);
    const set = await operate('tenants', 'set', 'limited', '--key', keyId, '--daily-cents', '500', '--requests-per-minute', 'none');
    expect(set).toMatchObject({ code: 0, stdout: `limited\t${keyId}\trequestsPerMinute=none,openJobs=7,dailyCents=500\n` });
    await operate('tenants', 'set', 'limited', '--open-jobs', '20');
    const listed = (await operate('tenants', 'list', '--tenant', 'limited')).stdout.split('\n');
    expect(listed[0]).toBe('limited\t-\topenJobs=20');
    expect(listed).toContain(set.stdout.trim());
    const documents = documentsIn(await operate('tenants', 'list', '--tenant', 'limited', '--json'));
    expect(documents[0]).toEqual({ tenantId: 'limited', keyId: null, limits: { openJobs: 20 } });
    expect(documents).toContainEqual({ tenantId: 'limited', keyId, limits: { requestsPerMinute: null, openJobs: 7, dailyCents: 500 } });
    expect(await operate('verify', 'ten_limited')).toMatchObject({ code: 0 });
    const refused = [
      ['keys', 'create', '--tenant', 'limited', '--open-jobs', '-1'],
      ['tenants', 'set', 'limited', '--key', keyId, '--daily-cents', '1.5'],
      ['tenants', 'set', 'limited', '--key', keyId],
      ['tenants', 'set', 'another', '--key', keyId, '--open-jobs', '1'],
    ];
    for (const parameters of refused) expect(await operate(...parameters)).toMatchObject({ code: 3, stdout: '' });
  });

  it('is looked at by the doctor while it runs, and is not disturbed', async () => {
    const { code, stdout } = await operate('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; status: string; detail: string }[] };
    expect({ code, bad: checks.filter(({ status }) => status !== 'ok') }).toEqual({ code: 0, bad: [] });
    expect(checks).toContainEqual(expect.objectContaining({ name: 'durability', detail: expect.stringMatching(/ are on$/) }));
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'master key', detail: expect.stringMatching(/^the one that the keys of threads name/) }),
    );
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    expect(await new HttpClient(address, key).research({ message: 'What does npm audit do?' })).toMatchObject({ status: 'completed' });
  });

  it('synthesizes a job again at no cost and shows what differs from what was recorded', async () => {
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    const job = await new HttpClient(address, key).research({ message: 'What does npm audit do?' });
    expect(await operate('synthesize', job.id)).toMatchObject({ code: 0, stdout: job.synthesisMarkdown });
    expect((await operate('synthesize', job.id, '--compare')).stdout).toMatch(
      /^Recorded by (\S+) with \d+ claims; \1 makes \d+\.\nNothing differs\.\n$/,
    );
    const unknown = await operate('synthesize', 'job_00000000000000000000000000');
    expect(unknown).toMatchObject({ code: 3, stderr: expect.stringContaining('There is no job job_00000000000000000000000000') });
  });

  it('refuses to be started twice on one data folder', async () => {
    const ended = await start('main.js', ['all'], { ...environment, DATA_DIR: dataDir }).ended;
    expect(failureIn(ended)).toMatch(/is in use by process \d+ .* Stop that process, or set DATA_DIR to another folder\.$/);
  });

  it('ends with 0 when it is told to and leaves no PostgreSQL; its data is there for commands and at the next start', async () => {
    await stop('SIGTERM');
    expect((await operate('verify-views')).stdout).toBe('11 histories replayed, 0 differences.\n');
    const looked = await operate('doctor');
    expect(looked).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ok +postgresql +PostgreSQL \d.*\n[^]*\nProblems: 0, warnings: 0\./),
    });
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
    await startOn();
    expect(service.said()).toMatch(/The API key lies in \S.*api-key\n/);
    const key = readFileSync(join(dataDir, 'api-key'), 'utf8').trim();
    expect(service.said()).not.toContain(key);
    expect((await new HttpClient(address, key).send('GET', '/v1/threads')).status).toBe(200);
    await stop('SIGINT');
  });

  it('ends with 0 also when it is stopped while it starts', async () => {
    service = start('main.js', ['all'], { ...environment, DATA_DIR: dataDir });
    const lockFile = join(dataDir, 'postgres/postmaster.pid');
    // PostgreSQL makes its lock file empty and then writes its process id.
    await eventually(true, async () => existsSync(lockFile) && postgresPid(dataDir) > 0, 30_000);
    await stop('SIGTERM');
    expect(service.said()).not.toContain('answers at');
  });
});

describe('what cannot be done ends with 3, says why and touches nothing', () => {
  const untouched = () => ({ ...environment, DATA_DIR: join(folder, 'untouched') });

  it('for arguments', async () => {
    const refusals: [string[], RegExp][] = [
      [['ask', '--mode', 'slow', 'q'], /argument 'slow' is invalid. Allowed choices are fast, methodical/],
      [['ask', '\u200b '], /invalid for argument 'question'\. must say something; without a question an example is asked/],
      [['ask', '--corpus', '/no/such/folder', 'q'], /^There is no folder \/no\/such\/folder: name one/],
      [['keys', 'create', '--tenant', "a'; drop table api_key; --"], /must start with a letter or digit and have at most 64/],
      [['keys', 'create', '--tenant', 'acme', '--name', 'two\nlines'], /must have 1 to 100 printable characters/],
      [['verif'], /unknown command 'verif'/],
      [['doctor', 'bogus'], /^"bogus" is no role: use all/],
    ];
    const ended = await Promise.all(refusals.map(([parameters]) => research(parameters, untouched())));
    expect(ended).toEqual(refusals.map(([, stderr]) => ({ code: 3, stdout: '', stderr: expect.stringMatching(stderr) })));
    expect(existsSync(join(folder, 'untouched'))).toBe(false);
  });

  it('for settings, without a secret', async () => {
    const refusals: [Record<string, string>, RegExp][] = [
      [{ DATABASE_URL: 'mysql://root:hidden@host/x' }, /- DATABASE_URL must be a URL that starts with postgres:\/\/ or postgresql:\/\/\n$/],
      [
        { DATABASE_URL: 'postgres://root:hidden@127.0.0.1:1/x', MASTER_KEY, API_KEY_PEPPER },
        /^The database cannot be used: connect ECONNREFUSED/,
      ],
      [
        {
          DATABASE_URL: Object.assign(new URL(process.env.TEST_DATABASE_URL ?? ''), { pathname: '/unasked' }).href,
          MASTER_KEY,
          API_KEY_PEPPER,
        },
        /^The database cannot be used: database "unasked" does not exist\. .*createdb.* nothing here creates one/,
      ],
      [{ MASTER_KEY: 'hidden', PORT: '99999' }, /- PORT must be at most 65535; it is "99999"/],
    ];
    const ended = await Promise.all(refusals.map(([changes]) => research(['migrate'], { ...untouched(), ...changes })));
    expect(ended).toEqual(refusals.map(([, stderr]) => ({ code: 3, stdout: '', stderr: expect.stringMatching(stderr) })));
    for (const { stderr } of ended) expect(stderr).not.toContain('hidden');
    expect(existsSync(join(folder, 'untouched'))).toBe(false);
  });
});

it('a file in place of the data folder is named by the doctor, which ends with 1, and by a service that cannot start', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const own = { ...environment, DATA_DIR: file };
  const [looked, ended] = await Promise.all([research(['doctor'], own), start('main.js', ['all'], own).ended]);
  expect(looked).toMatchObject({
    code: 1,
    stderr: '',
    stdout: expect.stringMatching(/problem +data folder .* is a file[^]*→ Set DATA_DIR/),
  });
  expect(failureIn(ended)).toBe(
    `The data folder ${file} cannot be used: it is a file. Set DATA_DIR to a folder that this user can write to.`,
  );
});

it('a data folder that cannot be made is named at once', async () => {
  const link = join(folder, 'link');
  symlinkSync('/no/such/folder', link);
  for (const dataDir of ['/proc/x/data', link]) {
    const own = { ...environment, DATA_DIR: dataDir };
    const ended = await start('main.js', ['all'], own).ended;
    expect(failureIn(ended)).toMatch(
      `The data folder ${dataDir} cannot be used: its file system creates no folders, or a link leads nowhere.`,
    );
  }
});

it('research --help ends with 0, main.js with 1 for what is no role', async () => {
  const [help, role] = await Promise.all([research(['--help'], environment), start('main.js', ['bogus'], environment).ended]);
  expect(help).toEqual({ code: 0, stdout: expect.stringContaining('verify-views'), stderr: '' });
  expect(failureIn(role)).toBe('"bogus" is no role: use all, or some of api, saga, worker, synthesizer, webhooks separated by commas');
});
