import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pino from 'pino';
import { ADAPTERS, KEY_VARIABLES } from '@lib/providers/registry';
import { readEnv } from '@lib/settings/read-env';
import { readProvidersFile } from '@lib/settings/providers-file';
import { resolveAuto } from '@lib/settings/resolve-auto';
import { readRoles } from '../../src/roles';
import { startService } from '../../src/service';
import { eventually } from '../messaging/eventually';
import { createDatabase } from '../servers/database';
import { COMPLETED_JOB, COMPLETED_STEP, THREAD_CREATED } from './support/contract-fields';
import { FAILING, NEVER_MS, writeProvidersFile } from './support/providers-file';
import { onNats, startSystem, type System } from './support/system';
import { createSeparatedDatabase } from '../support/separated-roles';

describe('roles that run apart on NATS', () => {
  let system: System;

  beforeAll(async () => {
    system = await startSystem({
      roles: ['api', 'saga', 'worker', 'synthesizer', 'webhooks'],
      database: await createSeparatedDatabase(),
      providers: { 'provider-b': FAILING, 'provider-d': { latencyMs: NEVER_MS }, 'provider-e': { reportBytes: 2_000_000 } },
      environment: { ...onNats(), WORKER_SLOTS: '1', LEASE_MS: '1500', HEARTBEAT_MS: '200', SWEEP_MS: '100' },
    });
  });
  afterAll(() => system.stop());

  it('do the whole work of a thread', async () => {
    const { client } = system;
    const message = `How? ${'😀'.repeat(31_000)}`;
    const thread = await client.createThread({ message, budget: 'L', providers: ['provider-c', 'provider-a', 'provider-b'] });
    expect(thread).toEqual(THREAD_CREATED);
    const job = await client.finalJob(thread.id, thread.job.id);
    expect(job).toMatchObject({ status: 'completed', query: message, steps: [{ status: 'completed' }, {}, { status: 'failed' }] });
    const pursued = await client.pursue(thread.id, job.id, { topic: 'And?', mode: 'methodical', providers: ['provider-c', 'provider-a'] });
    const final = await client.finalJob(thread.id, pursued.id);
    expect(final).toEqual({ ...COMPLETED_JOB, steps: [COMPLETED_STEP, COMPLETED_STEP] });
    const types = (await client.events(thread.id, pursued.id)).map(({ type }) => type);
    expect(types).toEqual([
      'JobRequested',
      'StepStarted',
      'StepCompleted',
      'StepStarted',
      'StepCompleted',
      'SynthesisStarted',
      'JobCompleted',
    ]);
    await client.expect(200, 'DELETE', `/v1/threads/${thread.id}`);
    expect((await client.send('GET', `/v1/threads/${thread.id}`)).status).toBe(404);
  });

  it('cut a report that is longer than a message may be, and say so', async () => {
    const job = await system.client.research({ message: 'q', providers: ['provider-e'] });
    const report = job.steps[0]?.reportMarkdown ?? '';
    expect(report).toMatch(/The rest of this report is left out/);
    expect(report.length).toBeGreaterThan(100_000);
    const completed = (await system.client.events(job.threadId, job.id)).find(({ type }) => type === 'StepCompleted');
    expect(completed?.facts).toMatchObject({ truncated: true, reportLength: report.length });
  });

  it('stop a running attempt when its thread is deleted', async () => {
    const { client } = system;
    const parked = await client.createThread({ message: 'q', providers: ['provider-d'] });
    await client.jobWhen(parked.id, parked.job.id, 'running');
    await client.expect(200, 'DELETE', `/v1/threads/${parked.id}`);
    const types = async (): Promise<string[]> => {
      const history = await system.query<{ type: string }>('select type from event where stream_id = $1 order by version', [parked.job.id]);
      return history.map(({ type }) => type);
    };
    // The job is erased beside the write path, after the answer.
    await eventually('ContentErased', async () => (await types()).at(-1) ?? '');
    expect(await types()).toEqual(['JobRequested', 'StepStarted', 'StepFailed', 'JobCancelled', 'ContentErased']);
    // The only slot is free again.
    const next = await client.createThread({ message: 'q', providers: ['provider-d'] });
    await client.jobWhen(next.id, next.job.id, 'running');
    await client.expect(200, 'DELETE', `/v1/threads/${next.id}`);
  });

  it.each([
    ['api', ['database', 'accepting']],
    ['saga', ['nats', 'database', 'requests']],
    ['synthesizer', ['nats', 'database']],
    ['worker', ['nats']],
    ['webhooks', ['database']],
  ])('%s is live, and ready by its own checks', async (role, checks) => {
    const address = system.services.get(role)?.address ?? '';
    const answer = async (path: string) => (await fetch(address + path)).json();
    expect(await answer('/health/live')).toEqual({ status: 'ok', checks: [] });
    expect(await answer('/health/ready')).toEqual({ status: 'ok', checks });
    expect((await fetch(`${address}/v1/threads`)).status).toBe(role === 'api' ? 401 : 404);
  });
});

describe('the shipped providers file', () => {
  it('as resolved by the keys that are set serves roles that run apart', async () => {
    const key = 'xai-key-of-a-test-0123456789';
    const environment = { ...onNats(), CORPUS_DIR: resolve(__dirname, '../../docs'), XAI_API_KEY: key };
    const roles = ['api,saga,synthesizer', 'worker'];
    const resolved = resolveAuto(undefined, ADAPTERS, { XAI_API_KEY: key });
    expect(resolved).not.toContain(key);
    const folder = mkdtempSync(join(tmpdir(), 'resolved-'));
    const file = join(folder, 'providers.yaml');
    writeFileSync(file, resolved);
    const system = await startSystem({ roles, providers: null, environment: { ...environment, PROVIDERS_FILE: file } });
    const asked = { message: 'Which decisions were made?', budget: 'L', providers: ['perplexity', 'provider-e'] };
    const job = await system.client.research(asked);
    expect(job).toMatchObject({ status: 'completed', steps: [{ provider: 'provider-a' }, { provider: 'provider-e' }] });
    expect(readProvidersFile(file, ADAPTERS, null).providers['provider-d']).toMatchObject({
      adapter: 'xai',
      model: 'grok-4.3',
      aliases: ['grok', 'xai'],
    });
    await system.stop();
    rmSync(folder, { recursive: true });
  });
});

describe('a process refuses to start', () => {
  const key = randomBytes(32).toString('base64');
  const complete = { PORT: '0', ...onNats(), MASTER_KEY: key, API_KEY_PEPPER: 'the pepper of a test' };
  const start = (role: string, variables: Record<string, string>) =>
    startService(readEnv(variables, KEY_VARIABLES), readRoles(role), pino({ level: 'silent' }));
  const without = (name: keyof typeof complete, databaseUrl: string) => {
    const { [name]: _, ...rest } = { ...complete, DATABASE_URL: databaseUrl };
    return rest as Record<string, string>;
  };
  const databaseOf = ({ env }: System) => ({ DATABASE_URL: env.DATABASE_URL ?? '', MASTER_KEY: env.MASTER_KEY?.toString('base64') ?? '' });
  const unused = 'postgres://nobody@127.0.0.1:1/none';

  it.each(['api', 'saga', 'synthesizer', 'api,worker'])('as %s without a database, a MASTER_KEY or a pepper', async (role) => {
    await expect(start(role, complete)).rejects.toThrow('DATABASE_URL is not set: only role all brings its own PostgreSQL');
    for (const name of ['MASTER_KEY', 'API_KEY_PEPPER'] as const) {
      await expect(start(role, without(name, unused))).rejects.toThrow(`${name} is not set: roles that run apart must share it`);
    }
  });

  it.each(['api', 'saga', 'worker', 'synthesizer', 'saga,worker,synthesizer'])('as %s without NATS', async (role) => {
    await expect(start(role, without('NATS_URL', unused))).rejects.toThrow('NATS_URL is not set: roles that run apart speak over NATS');
  });

  it.each(['all', 'saga'])('as %s when its database does not answer, without showing the password', async (role) => {
    const refusal = start(role, { ...complete, DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/none' });
    await expect(refusal).rejects.toThrow(/^The database cannot be used: connect ECONNREFUSED 127.0.0.1:1\. Check DATABASE_URL/);
  });

  it.each(['api', 'worker'])('as %s when its providers file is missing or broken', async (role) => {
    const database = await startSystem();
    try {
      const variables = { ...complete, ...databaseOf(database), PROVIDERS_FILE: '/no/such/providers.yaml' };
      await expect(start(role, variables)).rejects.toThrow(/\/no\/such\/providers\.yaml cannot be used:\n- The file must be readable/);
    } finally {
      await database.stop();
    }
  });

  it.each(['api', 'worker'])('as %s on a providers file that leaves it to keys who serves, and names the way out', async (role) => {
    const database = await startSystem();
    try {
      const remedy = /`auto` is for role all alone.*`research resolve-providers > my-providers\.yaml`.*; it is auto for provider-a, /;
      await expect(start(role, { ...complete, ...databaseOf(database) })).rejects.toThrow(remedy);
    } finally {
      await database.stop();
    }
  });

  it('on a schema that was not migrated', async () => {
    const database = await createDatabase();
    for (const role of ['api', 'saga', 'synthesizer']) {
      const refusal = start(role, { ...complete, DATABASE_URL: database.url });
      await expect(refusal).rejects.toThrow(
        /the database lacks \d+ migrations, Migration\S+ to Migration\S+: run `research migrate` with this build first/,
      );
    }
    await database.drop();
  });

  it('with another MASTER_KEY than the one that the database is sealed under, be it empty', async () => {
    const system = await startSystem();
    for (const role of ['all', 'api', 'synthesizer']) {
      const refusal = start(role, { ...complete, DATABASE_URL: system.env.DATABASE_URL ?? '' });
      await expect(refusal).rejects.toThrow(/set the MASTER_KEY that was in use/);
    }
    await system.stop();
  });

  it('on a port that another program has', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const folder = mkdtempSync(join(tmpdir(), 'taken-port-'));
    const refusal = start('worker', { ...complete, PORT: String(port), PROVIDERS_FILE: writeProvidersFile(folder) });
    await expect(refusal).rejects.toThrow(`HTTP cannot listen on port ${port} of 127.0.0.1: another program listens there. Set PORT`);
    other.close();
    rmSync(folder, { recursive: true });
  });
});
