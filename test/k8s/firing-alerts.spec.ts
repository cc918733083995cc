import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Role } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import { debianProgram } from '../servers/debian-program';
import { Prometheus } from '../servers/prometheus';
import { Client } from '../support/client';
import { simulatedProviders, SLOW } from '../support/simulated-providers';
import { stablePort } from '../support/stable-port';
import { Supervisor } from '../support/supervisor';
import { quickRules } from './quick-rules';

/** Set by `make alerts`; without it the two quickest are tried, where Prometheus is there already. */
const isWhole = process.env.ALERTS === 'all';
const program = debianProgram('prometheus', 'prometheus');
const missing = program ? null : 'Debian has no Prometheus for this machine';
if (missing) process.stderr.write(`No alert is made to fire: ${missing}.\n`);

/** Windows and waiting times of the rules are so many times shorter. */
const FACTOR = 30;
const PATIENCE_MS = 240_000;
jest.setTimeout(3 * PATIENCE_MS);

const ROLES = ['api', 'saga', 'worker', 'synthesizer', 'webhooks'] as const;
/** Fails in the worker that has a wrong key. */
const FAILING = 'provider-e';

interface Case {
  alert: string;
  fault: string;
  /** What its runbook says, done here. */
  step: string;
  cause: () => Promise<unknown>;
  mend: () => Promise<unknown>;
}

(missing ? describe.skip : describe)(missing ? `no alert is made to fire: ${missing}` : 'an alert', () => {
  let supervisor: Supervisor;
  let client: Client;
  let watching: Prometheus;
  let folder: string;
  let ports: Record<string, number>;
  let traffic: AbortController;
  let lock: PoolClient | null = null;

  const start = (role: Role, environment: Record<string, string> = {}) =>
    supervisor.start(role, {
      ADMIN_PORT: String(ports[role]),
      CHECKPOINT_MS: '1000',
      CHECKPOINT_KEY: Buffer.alloc(32, 3).toString('base64'),
      ...environment,
    });
  const restart = async (role: Role, environment: Record<string, string> = {}) => {
    await supervisor.the(role).kill();
    await start(role, environment);
  };
  const create = (provider: string) => client.call('POST', '/v1/threads', { message: 'How?', budget: 'S', providers: [provider] });
  /** Customers who go on asking until the case is over. */
  const goOn = (ask: () => Promise<unknown>, everyMs = 300): void => {
    const { signal } = traffic;
    void (async () => {
      while (!signal.aborted) {
        await ask().catch(() => undefined);
        await delay(everyMs);
      }
    })();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'research-alerts-'));
    supervisor = await Supervisor.start();
    client = new Client(supervisor, 5_000);
    ports = Object.fromEntries(await Promise.all(ROLES.map(async (role) => [role, await stablePort()] as const)));
    const file = JSON.parse(simulatedProviders(folder, 'wrong-key')) as { providers: Record<string, { options: object }> };
    (file.providers[FAILING] as { options: object }).options = { failureRate: 1, failureClass: 'auth' };
    writeFileSync(join(folder, 'wrong-key.yaml'), JSON.stringify(file));
    for (const role of ROLES) await start(role);
    await create('provider-a');
    const targets = Object.values(ports).map((port) => `http://127.0.0.1:${port}`);
    watching = await Prometheus.start(program ?? '', targets, { rules: quickRules(FACTOR), everyMs: 2_000 });
  });
  beforeEach(() => {
    traffic = new AbortController();
  });
  afterEach(() => traffic.abort());
  afterAll(async () => {
    await watching?.stop();
    await supervisor?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const isFiring = (alert: string) =>
    watching.firing().then(
      (firing) => firing.includes(alert),
      () => null,
    );

  const QUICK_CASES: Case[] = [
    {
      alert: 'RoleMissing',
      fault: 'the only saga is killed',
      step: '1: the pod is started again',
      cause: () => supervisor.the('saga').kill(),
      mend: () => start('saga'),
    },
    {
      alert: 'NatsDisconnected',
      fault: 'nats-server is killed',
      step: '1: the server is started again',
      cause: () => supervisor.broker.kill(),
      mend: () => supervisor.broker.start(),
    },
  ];
  const OTHER_CASES: Case[] = [
    {
      alert: 'RequestErrorsFast',
      fault: 'PostgreSQL crashes while clients ask',
      step: '2: the database is started again',
      cause: async () => {
        goOn(() => client.call('GET', '/v1/threads'));
        await supervisor.database.crash();
      },
      mend: () => supervisor.database.start(),
    },
    {
      alert: 'DatabasePoolFull',
      fault: 'a session locks a table that every request reads',
      step: '1: the session that holds the lock is ended',
      cause: async () => {
        lock = await supervisor.pool.connect();
        await lock.query('begin');
        await lock.query('lock table thread in access exclusive mode');
        for (let customer = 0; customer < 12; customer += 1) goOn(() => client.call('GET', '/v1/threads'));
      },
      mend: async () => {
        await lock?.query('rollback');
        lock?.release();
        traffic.abort();
      },
    },
    {
      alert: 'ProviderFailing',
      fault: 'a provider refuses the key of the workers',
      step: '2: workers are restarted with a right key',
      cause: async () => {
        await restart('worker', { PROVIDERS_FILE: join(folder, 'wrong-key.yaml') });
        goOn(() => create(FAILING));
      },
      mend: () => restart('worker'),
    },
    {
      alert: 'JobsFailing',
      fault: 'the same, and jobs ask nobody else',
      step: '2: as its reason says, a right key',
      cause: async () => {
        await restart('worker', { PROVIDERS_FILE: join(folder, 'wrong-key.yaml') });
        goOn(() => create(FAILING));
      },
      mend: () => restart('worker'),
    },
    {
      alert: 'AttemptsLost',
      fault: 'a worker is killed with sixteen attempts in hand',
      step: '1: it is started again, with more memory',
      cause: async () => {
        await Promise.all(Array.from({ length: 16 }, () => create(SLOW)));
        await eventually(true, async () => (await supervisor.heldLeases()) >= 8, 60_000);
        await supervisor.the('worker').kill();
      },
      mend: () => start('worker'),
    },
    {
      alert: 'AgendaOverdue',
      fault: 'the only synthesizer is killed while jobs end',
      step: '3: the synthesizer is started again',
      cause: async () => {
        await supervisor.the('synthesizer').kill();
        await create('provider-a');
      },
      mend: () => start('synthesizer'),
    },
  ];

  it.each(isWhole ? [...QUICK_CASES, ...OTHER_CASES] : QUICK_CASES)(
    '$alert fires when $fault, and clears once its runbook was followed',
    async ({ alert, fault, step, cause, mend }) => {
      await eventually<boolean | null>(false, () => isFiring(alert), PATIENCE_MS);
      const began = performance.now();
      await cause();
      await eventually<boolean | null>(true, () => isFiring(alert), PATIENCE_MS);
      const fired = performance.now();
      await mend();
      await eventually<boolean | null>(false, () => isFiring(alert), PATIENCE_MS);
      expect(await watching.firing()).not.toContain(alert);
      const seconds = (from: number, to: number) => `${Math.round((to - from) / 1000)} s`;
      process.stderr.write(`| ${alert} | ${fault} | ${seconds(began, fired)} | ${step} | ${seconds(fired, performance.now())} |\n`);
    },
  );
});
