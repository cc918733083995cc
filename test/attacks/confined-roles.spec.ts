import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect, type NatsConnection } from 'nats';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { permissionsOf, usersConfiguration } from '@lib/messaging/nats-permissions';
import { envelope } from '@lib/messaging/saga-messages';
import { SAGA_SUBJECTS, sagaSubject, type SagaCall } from '@lib/messaging/subjects';
import { eventually } from '../messaging/eventually';
import { startNats, type RunningNats } from '../servers/nats';
import { writeProvidersFile } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

/**
 * The users of deploy/nats/users.conf on a real server: every kind of job completes, and whoever holds the password of one role, or of the
 * worker of one provider, gets nothing of another's.
 */
const USERS = readFileSync(resolve(__dirname, '../../deploy/nats/users.conf'), 'utf8');
const VARIABLES = [...USERS.matchAll(/\$(NATS_PASSWORD_\w+)/g)].map(([, name]) => name ?? '');
const passwords = Object.fromEntries(VARIABLES.map((name) => [name, `p${randomBytes(12).toString('hex')}`]));

/** The documents engine, since topics come of what reports say; a background API; one that answers at once. */
const CORPUS = ['provider-a', 'provider-b'] as const;
const BACKGROUND = 'provider-d';
const WORKERS = ['provider-a', 'provider-b', 'provider-c', BACKGROUND] as const;
const DOCUMENTS = {
  'lamps.md':
    '# Harbour lamps\n\nHarbour lamps are trimmed every evening. Before the harbour lamps are trimmed, the keeper reads the mercury gauge.',
  'gauge.md':
    '# Mercury gauge\n\nThe mercury gauge was made by Ida Holm in 1871. The tube of the mercury gauge holds two litres of mercury.',
  'pier.md': '# Pier\n\nThe pier has four harbour lamps. Ships greet the harbour lamps with a bell.',
};

let nats: RunningNats;
let system: System;
let folder: string;
let ledger: string;
const opened: NatsConnection[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'confined-'));
  ledger = join(folder, 'ledger.jsonl');
  const documents = join(folder, 'documents');
  mkdirSync(documents);
  for (const [name, text] of Object.entries(DOCUMENTS)) writeFileSync(join(documents, name), text);
  nats = await startNats({ more: { lines: USERS, variables: passwords } });
  const roles = ['api', 'saga', 'synthesizer', 'webhooks', ...WORKERS.map((provider) => `worker:${provider}`)];
  system = await startSystem({
    roles,
    environment: { CORPUS_DIR: documents, PROVIDERS_FILE: providersFile() },
    environmentOf: (role) => {
      const [, provider] = role.split(':');
      return { NATS_URL: urlOf(role.replace(':', '-')), ...(provider ? { WORKER_PROVIDERS: provider } : {}) };
    },
  });
});
afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.close()));
  await system.stop();
  await nats.stop();
  rmSync(folder, { recursive: true });
});

const passwordOf = (user: string): string => passwords[`NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`] ?? '';
const urlOf = (user: string): string => nats.url.replace('//', `//${user}:${passwordOf(user)}@`);

function providersFile(): string {
  const background = { background: true, latencyMs: 3_600_000, ledgerFile: ledger };
  const path = writeProvidersFile(folder, { [BACKGROUND]: background });
  const file = JSON.parse(readFileSync(path, 'utf8')) as { providers: Record<string, object> };
  const free = { adapter: 'corpus', minReserveCents: 0, maxReserveCents: 0 };
  CORPUS.forEach((provider, place) => {
    file.providers[provider] = { ...free, options: { strategy: place ? 'structural' : 'lexical', breadth: 12 } };
  });
  writeFileSync(path, JSON.stringify(file));
  return path;
}

/** A client of the attacker's with the password of that user; it hears what the server does not allow. */
async function as(user: string) {
  const inboxPrefix = `_INBOX.${user.replace('-', '.')}`;
  const connection = await connect({ servers: nats.url, user, pass: passwordOf(user), inboxPrefix });
  opened.push(connection);
  const refused: string[] = [];
  void (async () => {
    for await (const { permissionContext: context } of connection.status())
      if (context) refused.push(`${context.operation} ${context.subject}`);
  })();
  return { connection, refused };
}

/** What of these the user may do after all. */
async function allowed(user: string, publish: string[], subscribe: string[] = [], queue?: string): Promise<string[]> {
  const { connection, refused } = await as(user);
  for (const subject of publish) connection.publish(subject, '{}');
  for (const subject of subscribe) connection.subscribe(subject, { ...(queue ? { queue } : {}), callback: () => undefined });
  await connection.flush();
  const wanted = [...publish.map((subject) => `publish ${subject}`), ...subscribe.map((subject) => `subscription ${subject}`)];
  await eventually(true, async () => refused.length >= wanted.length, 3_000).catch(() => undefined);
  return wanted.filter((one) => !refused.includes(one));
}

const research = (body: object) => system.client.research({ message: 'When are harbour lamps trimmed?', budget: 'L', ...body });

describe('every job completes', () => {
  it('of each mode, with a report of each provider, a synthesis and follow-on topics', async () => {
    const fast = await research({ providers: ['provider-a', 'provider-b', 'provider-c'], spidering: true });
    expect(fast).toMatchObject({ status: 'completed', steps: expect.any(Array) as unknown[] });
    expect(fast.steps.filter(({ status }) => status === 'completed').length).toBeGreaterThan(3);
    const methodical = await research({ mode: 'methodical', providers: ['provider-c', 'provider-a'] });
    expect(methodical.steps.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('and one that is cancelled tells its provider; changes of jobs are heard; the workers’ limits too', async () => {
    const heard: string[] = [];
    const { connection } = await as('api');
    for (const subject of ['job.changed.*', 'worker.limits.*']) {
      connection.subscribe(subject, { callback: (_, message) => void heard.push(message.subject) });
    }
    const thread = await system.client.createThread({ message: 'q', providers: [BACKGROUND] });
    const job = `/v1/threads/${thread.id}/jobs/${thread.job.id}`;
    await eventually(true, async () =>
      JSON.stringify(await system.client.events(thread.id, thread.job.id)).includes('StepExternalIdRecorded'),
    );
    await system.client.expect(200, 'POST', `${job}/cancel`);
    await eventually(true, async () => readFileSync(ledger, 'utf8').includes('cancel'));
    expect(heard).toContain(`job.changed.${thread.job.id}`);
    await eventually(true, async () => heard.includes('worker.limits.provider-c'));
  });

  it('and no role was refused anything that it tried', () => {
    expect(system.logged.filter((line) => line.includes('nats_not_permitted'))).toEqual([]);
  });
});

describe('a worker of one provider', () => {
  const CALLS = Object.keys(SAGA_SUBJECTS) as SagaCall[];
  const stream = 'RESEARCH_WORK';

  it('reads no question of another: neither wake-ups nor requests nor replies', async () => {
    const subjects = [
      '>',
      '_INBOX.>',
      '_INBOX.worker.>',
      '_INBOX.worker.provider-b.>',
      'work.>',
      'work.step.provider-b.*.*',
      'job.changed.*',
    ];
    expect(await allowed('worker-provider-a', [], subjects)).toEqual([]);
  });

  it('answers no claim and swallows no report', async () => {
    const subjects = CALLS.flatMap((call) => [SAGA_SUBJECTS[call], `${SAGA_SUBJECTS[call]}.*`, `${SAGA_SUBJECTS[call]}.provider-a`]);
    expect(await allowed('worker-provider-a', [], subjects, 'saga')).toEqual([]);
    expect(await allowed('worker-provider-a', ['_INBOX.worker.provider-b.x.1'])).toEqual([]);
  });

  it('asks nothing as a worker of another', async () => {
    const subjects = CALLS.flatMap((call) => [SAGA_SUBJECTS[call], sagaSubject(call, 'provider-b')]);
    expect(await allowed('worker-provider-a', [...subjects, 'step.heartbeat.all', 'worker.limits', 'worker.limits.provider-b'])).toEqual(
      [],
    );
  });

  it('is refused on its own subjects what is another’s', async () => {
    const { threadId, id } = await research({ providers: ['provider-b'] });
    const { connection } = await as('worker-provider-a');
    const [step] = (await system.client.getJob(threadId, id)).steps;
    const ids = { jobId: id, stepId: step?.id ?? '' };
    for (const item of [
      { call: 'claim', claimId: 'mine' },
      {
        call: 'report',
        attempt: 1,
        result: { outcome: 'failed', errorClass: 'auth', errorMessage: 'No.', charge: null, retryAfterMs: null },
      },
      { call: 'runCancelled', run: 1 },
    ] as const) {
      const answer = await connection.request(sagaSubject(item.call, 'provider-a'), JSON.stringify(envelope([{ ...ids, ...item }])));
      expect(answer.json()).toMatchObject({ items: [{ error: 'step_not_found', retryable: false }] });
    }
  });

  it('races no wake-up of another', async () => {
    const own = `$JS.API.CONSUMER.CREATE.${stream}.step-provider-a`;
    expect(
      await allowed('worker-provider-a', [
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.step-provider-b`,
        `$JS.API.CONSUMER.CREATE.${stream}.step-provider-b.work.step.provider-b.*.*`,
        `${own}.work.step.provider-b.*.*`,
        `${own}.work.>`,
        own,
        `$JS.API.CONSUMER.CREATE.${stream}`,
        `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.step-provider-a`,
        `$JS.API.CONSUMER.DELETE.${stream}.step-provider-b`,
        `$JS.API.STREAM.MSG.GET.${stream}`,
        `$JS.API.DIRECT.GET.${stream}`,
        `$JS.ACK.${stream}.step-provider-b.1.1.1.1.1`,
        'work.step.provider-b.job_1.stp_1',
      ]),
    ).toEqual([]);
    const { connection } = await as('worker-provider-a');
    const config = { durable_name: 'step-provider-a', filter_subject: 'work.step.provider-b.*.*', ack_policy: 'explicit' };
    const answer = await connection.request(`${own}.work.step.provider-a.*.*`, JSON.stringify({ stream_name: stream, config }));
    expect(answer.json()).toMatchObject({ error: { description: expect.stringContaining('did not match filtered subject') as string } });
  });

  it('has the saga say nothing where it may not speak itself', async () => {
    const { connection } = await as('worker-provider-a');
    const before = system.logged.length;
    for (const reply of [`$JS.API.STREAM.PURGE.${stream}`, sagaSubject('report', 'provider-b'), 'job.changed.job_1']) {
      connection.publish(sagaSubject('claim', 'provider-a'), JSON.stringify(envelope([])), { reply });
    }
    // Answered only once the three before it were looked at.
    await connection.request(sagaSubject('claim', 'provider-a'), JSON.stringify(envelope([])));
    expect(system.logged.slice(before).filter((line) => line.includes('listener_failed'))).toEqual([
      expect.stringContaining('the answer is not wanted in an inbox'),
    ]);
    expect(system.logged.slice(before).filter((line) => line.includes('nats_not_permitted'))).toEqual([]);
  });
});

it.each(['api', 'synthesizer', 'webhooks'])('whoever has the password of the %s forges no report and answers no worker', async (user) => {
  const reports = ['step.report', ...PROVIDERS.map((provider) => sagaSubject('report', provider))];
  expect(await allowed(user, [...reports, '_INBOX.worker.provider-a.x.1'], ['step.>', '_INBOX.worker.>'])).toEqual([]);
});

it.each(['api', 'saga', 'synthesizer', 'webhooks', 'worker-all', 'worker-provider-a'])(
  '%s neither empties nor deletes the stream',
  async (user) => {
    const calls = ['PURGE', 'DELETE', 'MSG.DELETE', 'RESTORE', ...(user === 'saga' ? [] : ['CREATE', 'UPDATE'])];
    expect(
      await allowed(
        user,
        calls.map((call) => `$JS.API.STREAM.${call}.RESEARCH_WORK`),
      ),
    ).toEqual([]);
  },
);

it('the committed users are those that the subjects need', () => {
  expect(USERS.replace(/^#.*\n/gm, '')).toBe(usersConfiguration(''));
});

it('a deployment with a prefix is confined to it', () => {
  const { publish, subscribe } = permissionsOf({ worker: ['provider-a', 'provider-c'] }, 'acme.');
  expect(subscribe).toEqual(['_INBOX.acme.worker.provider-a+provider-c.>']);
  const foreign = publish.filter(
    (subject) => !/^(acme\.|\$JS\.(API\.(CONSUMER\.(CREATE|INFO|MSG\.NEXT)\.acme_RESEARCH_WORK|INFO$)|ACK\.acme_))/.test(subject),
  );
  expect(foreign).toEqual([]);
});
