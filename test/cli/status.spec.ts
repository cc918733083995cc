import { connect } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { connect as connectToNats } from 'nats';
import { AdmissionTable } from '@lib/store/agenda/admission-table';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import type { Attention } from '../../src/cli/attention';
import { readSessionName, withSessionName } from '@lib/store/postgres/session-name';
import { seenProcesses } from '@lib/store/views/status-reads';
import { eventually } from '../messaging/eventually';
import { Load } from '../support/load';
import { QUICK, SLOW } from '../support/simulated-providers';
import { startPostgresProxy } from '../support/postgres-proxy';
import { createSeparatedDatabase } from '../support/separated-roles';
import { Supervisor } from '../support/supervisor';
import { research } from '../system/support/command';

jest.setTimeout(400_000);

interface Shown {
  processes: { instance: string; build: string; roles: string[]; sessions: number }[];
  workers: { build: string; slots: Record<string, number> }[] | null;
  recent: { counts: { type: string; of: string; reason: string; count: number }[] };
  gates: Record<string, { down: boolean }> | null;
  notAsked: { what: string; why: string }[];
  attention: Attention[];
}

describe('research status', () => {
  let supervisor: Supervisor;
  beforeAll(async () => {
    supervisor = await Supervisor.start();
    await supervisor.startMissing();
  });
  afterAll(() => supervisor?.close());

  /** Nobody signs here. */
  const operator = () => ({ ...supervisor.operator, CHECKPOINT_MS: '0' });
  const shown = async (environment: Record<string, string> = operator()): Promise<{ code: number | null; status: Shown }> => {
    const { code, stdout } = await research(['status', '--json'], environment);
    return { code, status: JSON.parse(stdout) as Shown };
  };

  const call = async (method: string, path: string, body: object = {}): Promise<ThreadCreatedView> => {
    const headers = { authorization: `Bearer ${supervisor.apiKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${supervisor.the('api').address}${path}`, { method, headers, body: JSON.stringify(body) });
    return (await answer.json()) as ThreadCreatedView;
  };

  it('shows on one screen which processes of which build there are, and how the last hour went', async () => {
    await new Load(supervisor, { jobs: 4, providers: [QUICK] }).finish();
    const { code, status } = await shown();
    expect({ code, attention: status.attention, notAsked: status.notAsked }).toEqual({ code: 0, attention: [], notAsked: [] });
    expect(status.processes.flatMap(({ roles }) => roles).sort()).toEqual(['api', 'saga', 'synthesizer']);
    expect(status.workers).toHaveLength(1);
    const builds = new Set([...status.processes, ...(status.workers ?? [])].map(({ build }) => build));
    expect([...builds]).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/)]);
    expect(status.recent.counts).toContainEqual(expect.objectContaining({ type: 'StepCompleted', of: QUICK, count: 4 }));
    expect(status.recent.counts).toContainEqual(expect.objectContaining({ type: 'JobCompleted', count: 4 }));

    const { code: ended, stdout } = await research(['status'], operator());
    expect({ ended, lines: stdout.split('\n').length < 25 }).toEqual({ ended: 0, lines: true });
    expect(stdout).toContain('Nothing needs attention.');
    expect(stdout).toContain('In the last hour: jobs created 4, completed 4, failed 0, cancelled 0; steps completed 4, faults 0.');
  });

  it('takes what a customer cancelled for no fault', async () => {
    const { id, job } = await call('POST', '/v1/threads', { message: 'How?', providers: [SLOW] });
    const happened = async (type: string): Promise<boolean> =>
      (await supervisor.pool.query('select from event where stream_id = $1 and type = $2', [job.id, type])).rows.length > 0;
    await eventually(true, () => happened('StepStarted'));
    await call('POST', `/v1/threads/${id}/jobs/${job.id}/cancel`);
    await eventually(true, () => happened('JobCancelled'));
    const { counts } = (await shown()).status.recent;
    expect(counts).toContainEqual({ type: 'StepFailed', of: SLOW, reason: 'cancelled', count: 1 });
    const { stdout } = await research(['status'], operator());
    expect(stdout).toContain('cancelled 1; steps completed 4, faults 0.');
  });

  it('ends with 1 and names the runbook where a circuit is open, a role is missing or nothing was signed', async () => {
    const admission = new AdmissionTable(supervisor.pool);
    for (let failure = 0; failure < 5; failure += 1) await admission.recordFailure(SLOW, 5, 600_000);
    await supervisor.the('synthesizer').kill();
    await supervisor.the('worker').kill();
    // The server notices that a client is gone when it next looks.
    await eventually(
      true,
      async () => {
        const { code, status } = await shown({ ...supervisor.operator, CHECKPOINT_MS: '1000' });
        const runbooks = status.attention.map(({ runbook }) => runbook).sort();
        return code === 1 && runbooks.join() === 'CheckpointOld,ProviderFailing,RoleMissing';
      },
      120_000,
    );
    const { stdout } = await research(['status'], operator());
    expect(stdout).toMatch(/no process of worker, synthesizer is there \(docs\/runbooks\/RoleMissing\.md\)/);
    expect(stdout).toMatch(/provider-c +0 +0 s +0 +open, held for \d+ s/);
    await admission.recordAnswer(SLOW, 600_000);
    await supervisor.startMissing();
  });

  it('names a provider that jobs ask and no worker takes', async () => {
    await supervisor.the('worker').kill();
    await supervisor.start('worker', { WORKER_PROVIDERS: QUICK });
    const told = async () => (await shown()).status.attention.map(({ what }) => what);
    expect(await told()).toEqual([]);
    const { id, job } = await call('POST', '/v1/threads', { message: 'How?', providers: [QUICK, SLOW] });
    await eventually(true, async () => (await told()).includes(`no worker takes ${SLOW}, and jobs ask it`), 60_000);
    await call('POST', `/v1/threads/${id}/jobs/${job.id}/cancel`);
    await supervisor.the('worker').kill();
    await supervisor.start('worker');
  });

  it('shows a process that finishes what it has in hand, and none once it has ended', async () => {
    const api = supervisor.the('api');
    // A client that does not finish its request holds the api for as long as it drains.
    const { hostname, port } = new URL(api.address ?? '');
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const head = ['POST /v1/threads HTTP/1.1', 'host: x', `authorization: Bearer ${supervisor.apiKey}`, 'content-type: application/json'];
    await new Promise<void>((sent) => socket.write([...head, 'content-length: 100', '', '{'].join('\r\n'), () => sent()));
    const isLeaving = async (): Promise<unknown> =>
      (await seenProcesses(supervisor.pool)).find(({ roles }) => roles.includes('api'))?.isLeaving;
    await eventually<unknown>(false, isLeaving);
    const ended = api.stop();
    await eventually<unknown>(true, isLeaving, 60_000);
    expect(await ended).toMatchObject({ code: 0 });
    await eventually<unknown>(undefined, isLeaving, 60_000);
    await supervisor.startMissing();
    socket.destroy();
  });

  it('names a queue that an operator has paused, of which nothing is done while everybody is ready', async () => {
    const connection = await connectToNats({ servers: supervisor.operator.NATS_URL ?? '' });
    const { consumers } = await connection.jetstreamManager();
    const attention = async () => (await shown()).status.attention;
    await consumers.pause('RESEARCH_WORK', `step-${QUICK}`, new Date(Date.now() + 3_600_000));
    expect(await attention()).toEqual([
      {
        what: expect.stringMatching(
          new RegExp(`^the queue step-${QUICK} is paused until 20.*: nats consumer resume RESEARCH_WORK step-${QUICK}$`),
        ) as string,
        runbook: 'WorkNotTaken',
      },
    ]);
    await consumers.resume('RESEARCH_WORK', `step-${QUICK}`);
    expect(await attention()).toEqual([]);
    await connection.close();
  });

  it('names a process that lost the database while others of its role reach it', async () => {
    const proxy = await startPostgresProxy(supervisor.operator.DATABASE_URL ?? '');
    const begun = supervisor.logs.next(({ reason }) => reason === 'process');
    const alone = await supervisor.start('saga', { DATABASE_URL: proxy.url });
    const { instance } = await begun;
    expect((await shown()).status.attention).toEqual([]);
    proxy.interrupt();
    const told = { what: `the process ${String(instance).slice(0, 8)} (saga) cannot reach the database`, runbook: 'ProcessNotReady' };
    const isNamed = async () => (await shown()).status.attention.some((one) => isDeepStrictEqual(one, told));
    await eventually(true, isNamed, 60_000);
    expect((await research(['status'], operator())).stdout).toMatch(/saga +\S+ +cannot reach the database\n/);
    proxy.resume();
    await eventually(false, isNamed, 60_000);
    await alone.kill();
    await proxy.close();
  });

  it('says what it could not ask, and all the rest: without NATS, and as a role that may not see everything', async () => {
    const { port } = new URL(supervisor.operator.NATS_URL ?? '');
    const without = { ...operator(), NATS_URL: `nats://127.0.0.1:${Number(port) + 1}` };
    const { code, status } = await shown(without);
    expect({ code, workers: status.workers }).toEqual({ code: 1, workers: null });
    expect(status.notAsked).toEqual([{ what: 'workers', why: expect.stringContaining('NATS does not answer') as string }]);
    expect(status.attention).toEqual([{ what: expect.stringContaining('could not be heard') as string, runbook: 'NatsDisconnected' }]);
    expect(status.processes.length).toBeGreaterThanOrEqual(3);

    const separated = await createSeparatedDatabase();
    const { code: ofAudited, status: audited } = await shown({ ...operator(), DATABASE_URL: separated.urls.audit });
    await separated.drop();
    const refused = (what: string) => ({ what, why: expect.stringContaining('permission denied') as string });
    expect(audited.notAsked.toSorted((one, other) => (one.what < other.what ? -1 : 1))).toEqual([
      refused('circuits'),
      refused('deliveries'),
      refused('webhooks'),
    ]);
    expect(ofAudited).toBe(1);
    expect(audited.attention).toContainEqual({ what: expect.stringContaining('could not ask: circuits') as string, runbook: null });
    expect(audited).toMatchObject({ gates: null, recent: { counts: [] }, workers: [{}] });
  });

  it('takes what a role that sees only some tenants is not shown for unknown, not for nothing', async () => {
    const separated = await createSeparatedDatabase();
    const asApi = { ...operator(), DATABASE_URL: separated.urls.api };
    const { code, status } = await shown(asApi);
    const { stdout } = await research(['status'], asApi);
    await separated.drop();
    expect({ code, ...status }).toMatchObject({ code: 1, work: null, deliveries: null, recent: null });
    expect(status.notAsked.map(({ what }) => what)).toEqual(expect.arrayContaining(['work', 'deliveries', 'last hour', 'checkpoint']));
    expect(stdout).toMatch(/could not ask: work, .*last hour.* \(The database's role test_api does not see all tenants: use the owner/);
    expect(stdout).toContain('Which steps wait or run is not known');
  });

  it('misses no role while the database takes no writes, since processes keep no session then', async () => {
    const setReadOnly = async (how: string) => {
      await supervisor.pool.query(`alter system ${how}`);
      await supervisor.pool.query('select pg_reload_conf()');
    };
    const askReadiness = () => fetch(`${supervisor.the('api').address}/health/ready`);
    await setReadOnly('set default_transaction_read_only = on');
    try {
      await eventually(
        true,
        async () => {
          // Whoever notices it in the check of its readiness gives its sessions up.
          await askReadiness();
          const { code, status } = await shown();
          expect(code).toBe(1);
          expect(status.attention.map(({ runbook }) => runbook)).not.toContain('RoleMissing');
          return status.attention.some(({ what }) => what.startsWith('which processes there are cannot be told'));
        },
        60_000,
      );
    } finally {
      await setReadOnly('reset default_transaction_read_only');
    }
    await eventually(0, async () => (await askReadiness(), (await shown()).code ?? -1), 60_000);
  });

  it('ends with 2 where the database does not answer', async () => {
    const { port } = new URL(supervisor.operator.DATABASE_URL ?? '');
    const nowhere = { ...operator(), DATABASE_URL: `postgres://nobody@127.0.0.1:${Number(port) + 1}/postgres` };
    expect(await research(['status'], nowhere)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Check DATABASE_URL') as string,
    });
    const { code, status } = await shown(nowhere);
    expect({ code, notAsked: status.notAsked }).toEqual({ code: 2, notAsked: [{ what: 'database', why: expect.any(String) as string }] });
  });
});

describe('the name of a session', () => {
  const process = { instance: '3f2a9c0b-1d4e-4a6b-8c2d-000000000000', build: '0.1.0+3f2a9c0b1d4e', roles: ['saga', 'synthesizer'] };
  const nameIn = (url: string) => new URL(url).searchParams.get('application_name') ?? '';

  it('says which process has it, within what PostgreSQL keeps, and leaves the one alone that an operator chose', () => {
    expect(readSessionName(nameIn(withSessionName('postgres://db/x', process)))).toEqual({
      ...process,
      instance: '3f2a9c0b',
      isLeaving: false,
    });
    expect(readSessionName(nameIn(withSessionName('postgres://db/x', process, true)))).toMatchObject({
      instance: '3f2a9c0b',
      isLeaving: true,
    });
    const many = { ...process, roles: ['api', 'saga', 'synthesizer', 'webhooks'] };
    expect(nameIn(withSessionName('postgres://db/x', many))).toHaveLength(63);
    expect(withSessionName('postgres://db/x?application_name=ours', process)).toBe('postgres://db/x?application_name=ours');
  });

  it('is nobody’s where somebody else chose it', () => {
    for (const name of [
      '',
      'psql',
      'research',
      'research x y z',
      'research 3f2a9c0b 0.1.0 a; drop',
      `research 3f2a9c0b ${'x'.repeat(50)} api`,
    ])
      expect(readSessionName(name)).toBeNull();
  });
});
