import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectNats } from '@lib/messaging/nats-transport';
import { envelope, readAnswers, type Answer, type ClaimReply } from '@lib/messaging/saga-messages';
import { SAGA_SUBJECTS } from '@lib/messaging/subjects';
import { RequestFailed, type Transport } from '@lib/messaging/transport';
import { eventually } from '../messaging/eventually';
import { Client } from '../support/client';
import { historyOf, typesOf } from '../support/histories';
import { SLOW } from '../support/simulated-providers';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(120_000);

/** How long the claim is waited for, and for how much longer the saga stands still. */
const WITHIN_MS = 1_500;
const BEYOND_MS = 1_000;

let supervisor: Supervisor;
let transport: Transport;
beforeAll(async () => {
  supervisor = await Supervisor.start();
  await Promise.all([supervisor.start('api'), supervisor.start('saga')]);
  transport = await connectNats({ url: supervisor.broker.url, prefix: '', name: 'test', logger: { warn: () => undefined } });
});
afterAll(async () => {
  await transport?.close();
  await supervisor?.close();
});

async function claim(jobId: string, stepId: string, withinMs: number): Promise<Answer<ClaimReply> | undefined> {
  const heard: unknown[] = [];
  const message = envelope([{ jobId, stepId, claimId: randomUUID() }], [withinMs]);
  heard.push(await transport.request(SAGA_SUBJECTS.claim, message, 60_000, (part) => heard.push(part)));
  return heard.flatMap((part) => readAnswers<ClaimReply>(part, 1))[0]?.[1];
}

function unlessServed(error: unknown): undefined {
  if (!(error instanceof RequestFailed) || error.reason !== 'no_responders') throw error;
}

it('a saga that was frozen grants nothing that was asked for meanwhile and that nobody waits for any more', async () => {
  const question = { message: 'Who waits?', budget: 'S', providers: [SLOW] };
  const { body } = await new Client(supervisor).call('POST', '/v1/threads', question);
  const { id: jobId } = body.job as { id: string };
  const { rows } = await supervisor.pool.query<{ id: string }>(
    `select facts -> 'plan' -> 0 ->> 'stepId' as id from event where stream_id = $1 and type = 'JobRequested'`,
    [jobId],
  );
  const stepId = rows[0]?.id ?? '';
  const saga = supervisor.the('saga');
  saga.send('SIGSTOP');
  const asked = claim(jobId, stepId, WITHIN_MS);
  await sleep(WITHIN_MS + BEYOND_MS);
  saga.send('SIGCONT');
  // If it was frozen during its own look at the database, it leaves the requests to others, until the next look.
  expect(await asked).toEqual({ error: expect.stringMatching(/^(too_late|unavailable)$/), retryable: true });
  expect(typesOf(await historyOf(supervisor.pool, jobId))).toEqual(['JobRequested']);
  const isGranted = async () => {
    const answer = await claim(jobId, stepId, 10_000).catch(unlessServed);
    if (answer && 'reply' in answer) expect(answer.reply).toMatchObject({ granted: true, attempt: 1 });
    return answer !== undefined && 'reply' in answer;
  };
  await eventually(true, isGranted);
});
