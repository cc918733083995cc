import { randomBytes } from 'node:crypto';
import { connect, type NatsConnection } from 'nats';
import { pino } from 'pino';
import { envelope, type Answer, type Envelope } from '@lib/messaging/saga-messages';
import { connectNats } from '@lib/messaging/nats-transport';
import { SAGA_SUBJECTS, type SagaCall } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import { leaseTimes } from '@lib/settings/lease-times';
import { Saga } from '../../src/saga/saga';
import type { SagaPort } from '../../src/saga/saga-port';
import { serveSaga } from '../../src/saga/saga-server';
import { claim, type Claimed } from '../../src/worker/claim';
import { createSagaClient } from '../../src/worker/saga-client';
import { success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { createJob, createTestStore, PROCESS, type TestStore } from '../support/store';
import { eventTypes, jobState } from '../support/streams';

/**
 * The attack: whoever may publish on the broker answers for a worker that holds a paid attempt of somebody's job. All ids and the claim's id are
 * known to the attacker: the tenant sees them on the events route, and logs have them.
 */
const TIMES = leaseTimes({ LEASE_MS: 30_000, HEARTBEAT_MS: 10_000 });

let test: TestStore;
let transport: Transport;
let worker: SagaPort;
let attacker: NatsConnection;
const prefix = `attack-${randomBytes(6).toString('hex')}`;
const logged: string[] = [];
const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });

beforeAll(async () => {
  test = await createTestStore();
  const url = process.env.TEST_NATS_URL ?? '';
  transport = await connectNats({ url, prefix, name: 'test' });
  await serveSaga({ transport, saga: new Saga(test.store, TIMES.leaseMs, runHere), logger });
  worker = createSagaClient(transport, TIMES);
  attacker = await connect({ servers: url });
});
afterAll(async () => {
  await attacker.close();
  await transport.close();
  await test.close();
});

async function paidAttempt() {
  const job = await createJob(test.store);
  const ids = { jobId: job.jobId, stepId: job.stepIds[0] ?? '' };
  const unwanted = () => undefined;
  const granted = (await claim(ids, { saga: worker, logger, process: PROCESS, withinMs: 15_000, unwanted })) as Claimed;
  expect(granted).toMatchObject({ granted: true, attempt: 1 });
  const [step] = (await jobState(test.store, ids.jobId)).steps;
  return { ids, granted, attempt: { ...ids, attempt: 1 }, claimId: step?.attempts[0]?.claimId ?? '' };
}

async function forge(call: SagaCall, item: object): Promise<Answer<object> | undefined> {
  const message = await attacker.request(`${prefix}.${SAGA_SUBJECTS[call]}`, JSON.stringify(envelope([item])), { timeout: 5_000 });
  return message.json<Envelope<Answer<object>>>().items[0];
}

const REFUSED = { error: 'attempt_not_found', retryable: false };
const forged = { ...success(), reportMarkdown: 'What the attacker says.' };

it.each<[string, (known: { claimId: string }) => object]>([
  ['nothing but ids', () => ({})],
  ['the claim’s id in place of its secret', ({ claimId }) => ({ claimId, claimSecret: claimId })],
  ['a guessed secret', () => ({ claimSecret: randomBytes(32).toString('base64url') })],
  ['an empty secret', () => ({ claimSecret: '' })],
])('a forged report, run or heartbeat with %s is refused, and the worker’s own report counts', async (_, shown) => {
  const { ids, attempt, claimId, granted } = await paidAttempt();
  const item = { ...attempt, ...shown({ claimId }) };
  expect(await forge('report', { ...item, result: forged })).toEqual(REFUSED);
  expect(await forge('recordExternalId', { ...item, externalId: 'a run of the attacker' })).toEqual(REFUSED);
  expect(await forge('heartbeat', item)).toEqual(REFUSED);
  expect(await eventTypes(test.store, ids.jobId)).toEqual(['JobRequested', 'StepStarted']);

  const own = { ...attempt, claimSecret: granted.claimSecret };
  expect(await worker.heartbeat(own)).toEqual({ goOn: true });
  expect(await worker.recordExternalId({ ...own, externalId: 'run-1' })).toEqual({ recorded: true });
  expect(await worker.report({ ...own, result: success() })).toEqual({ committed: true });
  expect(await eventTypes(test.store, ids.jobId)).toEqual(['JobRequested', 'StepStarted', 'StepExternalIdRecorded', 'StepCompleted']);
});

it('whoever repeats a claim with the id that everybody sees gets neither the question nor the grant', async () => {
  const { ids, claimId, granted } = await paidAttempt();
  for (const shown of [{}, { claimSecret: claimId }, { claimSecret: randomBytes(32).toString('base64url') }]) {
    expect(await forge('claim', { ...ids, claimId, ...shown })).toMatchObject({ error: expect.stringContaining('claimSecret') as string });
  }
  const again = await worker.claim({ ...ids, claimId, claimSecret: granted.claimSecret });
  expect(again).toMatchObject({ granted: true, attempt: 1, query: 'How?' });
});

it('the secret of a claim is neither stored nor logged', async () => {
  const { ids, attempt, granted } = await paidAttempt();
  const secret = String(granted.claimSecret);
  await worker.report({ ...attempt, claimSecret: secret, result: success() });
  const { rows } = await test.store.pool.query<{ row: string }>('select event::text as row from event where stream_id = $1', [ids.jobId]);
  expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
  expect(logged.filter((line) => line.includes(secret))).toEqual([]);
});
