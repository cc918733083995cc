import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../messaging/eventually';
import { QUICK, SLOW, SLOW_BACKGROUND } from '../support/simulated-providers';
import { stablePort } from '../support/stable-port';
import type { AlertStage } from './alert-stage';
import { HOLD } from '../support/hold';
import { startPostgresProxy } from '../support/postgres-proxy';

/** How many times shorter than shipped the windows and waiting times of the rules are. */
const FACTOR = 30;
/** Where a rule looks back over days. */
const FACTOR_OF_DAYS = 300;
/** Fails in a worker that has a wrong key. */
const FAILING = 'provider-e';
/** Asks for more than was reserved, once its prices have changed. */
const DEARER = 'provider-d-premium';
const WAIT_MS = 60_000;

/** What an alert has to fire for. */
export interface AlertCase {
  alert: string;
  factor: number;
  fault: string;
  /** What its runbook says, done by what `cause` resolves with. */
  step: string;
  cause: (stage: AlertStage) => Promise<() => Promise<unknown>>;
}

const wrongKey = async (stage: AlertStage): Promise<() => Promise<unknown>> => {
  const PROVIDERS_FILE = stage.providersFile('wrong-key', FAILING, { options: { failureRate: 1, failureClass: 'auth' } });
  await stage.restart('worker', { PROVIDERS_FILE });
  stage.goOn(() => stage.create(FAILING));
  return () => stage.restart('worker');
};

/** The quickest, which `make test` tries too. */
export const QUICK_CASES: readonly AlertCase[] = [
  {
    alert: 'RoleMissing',
    factor: FACTOR,
    fault: 'the only saga is killed',
    step: '1: the pod is started again',
    cause: async (stage) => {
      await stage.supervisor.the('saga').kill();
      return () => stage.start('saga');
    },
  },
  {
    alert: 'NatsDisconnected',
    factor: FACTOR,
    fault: 'nats-server is killed',
    step: '1: the server is started again',
    cause: async ({ supervisor }) => {
      await supervisor.broker.kill();
      return () => supervisor.broker.start();
    },
  },
];

const REQUESTS: readonly AlertCase[] = [
  {
    alert: 'RequestErrorsFast',
    factor: FACTOR,
    fault: 'PostgreSQL crashes while clients ask',
    step: '2: the database is started again',
    cause: async (stage) => {
      stage.goOn(() => stage.client.call('GET', '/v1/threads'));
      await stage.supervisor.database.crash();
      return () => stage.supervisor.database.start();
    },
  },
  {
    alert: 'RequestErrorsSlow',
    factor: FACTOR_OF_DAYS,
    fault: 'a report is damaged, and one request in 200 asks for it',
    step: '1, as RequestErrorsFast 3: the log names the report, which is restored',
    cause: async (stage) => {
      const { supervisor, client } = stage;
      const { jobId, path } = await stage.create(QUICK);
      const document = async () =>
        (await supervisor.pool.query<{ document: Buffer | null }>('select document from job where id = $1', [jobId])).rows[0]?.document;
      await eventually(true, async () => Boolean(await document()), WAIT_MS);
      const whole = await document();
      await supervisor.pool.query(`update job set document = 'short' where id = $1`, [jobId]);
      stage.goOn(async () => {
        for (let asked = 1; asked < 200; asked += 1) await client.call('GET', '/v1/threads');
        await client.call('GET', path);
      }, 0);
      const named = supervisor.logs.next(({ reason, of }) => reason === 'corrupt_content' && of === jobId);
      return async () => {
        await named;
        await supervisor.pool.query('update job set document = $2 where id = $1', [jobId, whole]);
      };
    },
  },
  {
    alert: 'CreationsSlow',
    factor: FACTOR,
    fault: 'a session locks the table of threads for a second, again and again',
    step: '1: the session that holds the lock is ended',
    cause: async (stage) => {
      const { pool } = stage.supervisor;
      const locker = await pool.connect();
      locker.on('error', () => undefined);
      const { rows } = await locker.query<{ pid: number }>('select pg_backend_pid() as pid');
      const locking = (async () => {
        for (;;) {
          await locker.query(HOLD);
          await locker.query('lock table thread in exclusive mode');
          await delay(1_000);
          await locker.query('commit');
        }
      })().catch(() => locker.release(true));
      for (let customer = 0; customer < 2; customer += 1) stage.goOn(() => stage.create(QUICK));
      return async () => {
        await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        await locking;
      };
    },
  },
  {
    alert: 'DatabasePoolFull',
    factor: FACTOR,
    fault: 'a session locks a table that every request reads',
    step: '1: the session that holds the lock is ended',
    cause: async (stage) => {
      const locker = await stage.supervisor.pool.connect();
      await locker.query(HOLD);
      await locker.query('lock table thread in access exclusive mode');
      const customers = Array.from({ length: 12 }, () => stage.goOn(() => stage.client.call('GET', '/v1/threads')));
      return async () => {
        await locker.query('rollback');
        locker.release();
        for (const end of customers) end();
      };
    },
  },
];

const JOBS: readonly AlertCase[] = [
  {
    alert: 'ProcessNotReady',
    factor: FACTOR,
    fault: 'the wire between the database and one process is cut',
    step: '1: the process is started elsewhere',
    cause: async (stage) => {
      const wire = await startPostgresProxy(stage.supervisor.operator.DATABASE_URL ?? '');
      await stage.restart('webhooks', { DATABASE_URL: wire.url });
      wire.silence();
      return async () => {
        await stage.restart('webhooks');
        await wire.close();
      };
    },
  },
  {
    alert: 'ProviderFailing',
    factor: FACTOR,
    fault: 'a provider refuses the key of the workers',
    step: '2: workers are restarted with a right key',
    cause: wrongKey,
  },
  {
    alert: 'JobsFailing',
    factor: FACTOR,
    fault: 'the same, and jobs ask nobody else',
    step: '2: as its reason says, a right key',
    cause: wrongKey,
  },
  {
    alert: 'WorkNotTaken',
    factor: FACTOR,
    fault: '`research drain provider`, which nobody ended',
    step: '5: `research drain provider … --undo`',
    cause: async (stage) => {
      await stage.command('drain', 'provider', QUICK, '--for', '2h', '--wait', '0s');
      stage.goOn(() => stage.create(QUICK), 1_000);
      return () => stage.command('drain', 'provider', QUICK, '--undo');
    },
  },
  {
    alert: 'StepsNotStarted',
    factor: FACTOR,
    fault: 'the only worker does not take a provider that jobs ask beside another',
    step: '2: a worker takes it again',
    cause: async (stage) => {
      await stage.restart('worker', { WORKER_PROVIDERS: QUICK });
      await stage.restart('api', { FAST_DEADLINE_MS: '3000' });
      stage.goOn(() => stage.create(QUICK, SLOW_BACKGROUND));
      return async () => {
        await stage.restart('worker');
        await stage.restart('api');
      };
    },
  },
  {
    alert: 'WebhooksFailing',
    factor: FACTOR,
    fault: 'the only webhook goes to a port at which nobody listens',
    step: '2: its receiver is started again',
    cause: async (stage) => {
      const port = await stablePort();
      for (const role of ['api', 'webhooks'] as const) await stage.restart(role, { WEBHOOK_LOOPBACK: 'allowed' });
      await stage.client.call('POST', '/v1/webhooks', { url: `http://127.0.0.1:${port}/`, eventTypes: ['job.completed'] });
      stage.goOn(() => stage.create(QUICK));
      return async () => {
        const receiver = createServer((_, response) => response.end())
          .listen(port, '127.0.0.1')
          .unref();
        await once(receiver, 'listening');
      };
    },
  },
  {
    alert: 'AttemptsLost',
    factor: FACTOR,
    fault: 'a worker is killed with sixteen attempts in hand',
    step: '1: it is started again, with more memory',
    cause: async (stage) => {
      const { supervisor } = stage;
      await Promise.all(Array.from({ length: 16 }, () => stage.create(SLOW)));
      await eventually(true, async () => (await supervisor.heldLeases()) >= 8, WAIT_MS);
      await supervisor.the('worker').kill();
      return () => stage.start('worker');
    },
  },
  {
    alert: 'AgendaOverdue',
    factor: FACTOR,
    fault: 'the only synthesizer is killed while jobs end',
    step: '3: the synthesizer is started again',
    cause: async (stage) => {
      await stage.supervisor.the('synthesizer').kill();
      await stage.create(QUICK);
      return () => stage.start('synthesizer');
    },
  },
  {
    alert: 'PaidTooMuch',
    factor: FACTOR,
    fault: 'a provider takes 120 cents where 50 are reserved',
    step: '2: `maxReserveCents` is raised to what it takes',
    cause: async (stage) => {
      const options = { costCents: 120 };
      await stage.restart('worker', { PROVIDERS_FILE: stage.providersFile('dearer', DEARER, { options }) });
      stage.goOn(() => stage.create(DEARER), 1_000);
      return () =>
        stage.restart('api', {
          PROVIDERS_FILE: stage.providersFile('raised', DEARER, { options, minReserveCents: 10, maxReserveCents: 150 }),
        });
    },
  },
  {
    alert: 'NeedsAPerson',
    factor: FACTOR,
    fault: 'an event of a job is damaged, and its client cancels',
    step: '2: `research verify` names the event, which is restored',
    cause: async (stage) => {
      const { supervisor, client } = stage;
      const { jobId, path } = await stage.create(SLOW);
      await supervisor.pool.query('alter table event disable trigger user');
      const first = 'where stream_id = $1 and version = 1';
      await supervisor.pool.query(`update event set facts = jsonb_build_object('kept', facts) ${first}`, [jobId]);
      // What it remembers of the job is still whole.
      await stage.restart('api');
      stage.goOn(() => client.call('POST', `${path}/cancel`));
      return async () => {
        expect(await stage.command('verify', jobId)).toContain(`${jobId} version 1 `);
        await supervisor.pool.query(`update event set facts = facts -> 'kept' ${first}`, [jobId]);
        await supervisor.pool.query('alter table event enable trigger user');
      };
    },
  },
];

const PROCESSES: readonly AlertCase[] = [
  {
    alert: 'EventLoopSlow',
    factor: FACTOR,
    fault: 'a synthesizer gets the processor for a tenth of each second',
    step: '2: it gets more cpu',
    cause: async ({ supervisor }) => {
      const starved = supervisor.the('synthesizer').pid;
      let isStarved = true;
      const starving = (async () => {
        while (isStarved) {
          process.kill(starved, 'SIGSTOP');
          await delay(900);
          process.kill(starved, 'SIGCONT');
          await delay(100);
        }
      })();
      return () => {
        isStarved = false;
        return starving;
      };
    },
  },
  {
    alert: 'CheckpointOld',
    factor: FACTOR,
    fault: 'sagas run without CHECKPOINT_KEY',
    step: '1: the log says so, and they get the key again',
    cause: async (stage) => {
      // Signed until now.
      await stage.create(QUICK);
      await stage.command('checkpoint');
      const said = stage.supervisor.logs.next(({ reason }) => reason === 'no_checkpoints');
      await stage.restart('saga', { CHECKPOINT_KEY: '' });
      await stage.create(QUICK);
      return async () => {
        await said;
        await stage.restart('saga');
      };
    },
  },
];

export const ALL_CASES: readonly AlertCase[] = [...QUICK_CASES, ...REQUESTS, ...JOBS, ...PROCESSES];
