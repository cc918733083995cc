import { centsFromMicros, microsFromCents } from '@lib/domain/money';
import type { JobView } from '@lib/store/views/job.view';

import { Client } from '../../support/client';
import { factsOf, historyOf, type StoredRow } from '../../support/histories';
import { isEvent } from '../../support/logs';
import { Supervisor } from '../../support/supervisor';
import { EmulatedWriter, RESERVE_CENTS } from './emulated-writer';

jest.setTimeout(180_000);

const FINAL_WITHIN_MS = 60_000;
const KILLED = { code: null, signal: 'SIGKILL' };
/** A claim is lost after a third of it. */
const SYNTHESIS_DEADLINE_MS = '24000';
const RESERVE = microsFromCents(RESERVE_CENTS);

let supervisor: Supervisor;
let writer: EmulatedWriter;
let environment: Record<string, string>;

beforeAll(async () => {
  writer = await EmulatedWriter.start('anthropic');
  environment = { ...writer.providers.environment, SYNTHESIS_DEADLINE_MS };
  supervisor = await Supervisor.start();
  for (const role of ['api', 'saga', 'worker', 'synthesizer'] as const) await supervisor.start(role, environment);
});
afterAll(async () => {
  await supervisor?.close();
  await writer?.stop();
});

/** Ends and starts the synthesizer again as soon as the model has been asked. */
async function killOnceAsked(times: number): Promise<void> {
  await writer.reached('submit', times);
  expect(await supervisor.the('synthesizer').kill()).toEqual(KILLED);
  await supervisor.start('synthesizer', environment);
}

async function ask(): Promise<{ threadId: string; jobId: string }> {
  const request = { message: 'How?', budget: 'S', providers: ['provider-a'] };
  const { status, body } = await new Client(supervisor).call('POST', '/v1/threads', request);
  expect(status).toBe(201);
  return { threadId: String(body.id), jobId: (body.job as { id: string }).id };
}

async function ended({ threadId, jobId }: { threadId: string; jobId: string }): Promise<{ job: JobView; history: StoredRow[] }> {
  const client = new Client(supervisor);
  const deadline = performance.now() + FINAL_WITHIN_MS;
  for (; performance.now() < deadline; await new Promise((wake) => setTimeout(wake, 100))) {
    const job = (await client.call('GET', `/v1/threads/${threadId}/jobs/${jobId}`)).body as unknown as JobView;
    if (job.completedAt !== null) return { job, history: await historyOf(supervisor.pool, jobId) };
  }
  throw new Error(`the job did not end within ${FINAL_WITHIN_MS} ms`);
}

it('a synthesizer that is killed after it asked the model is followed by one that asks once more, and only that is charged', async () => {
  const before = { submits: writer.calls('submit').length, paid: writer.providers.chargedMicros };
  writer.emulator.behave('hang times=1');
  const lost = supervisor.logs.next(isEvent('SynthesisAttemptLost'));
  const asked = await ask();
  await killOnceAsked(before.submits + 1);
  await lost;
  const { job, history } = await ended(asked);
  expect(job.status).toBe('completed');
  expect(job.synthesisMarkdown).toMatch(/^## Summary/);
  expect(writer.calls('submit').length - before.submits).toBe(2);
  expect(factsOf(history, 'SynthesisClaimed')).toMatchObject([{ attempt: 1 }, { attempt: 2, reservedMicros: RESERVE }]);
  const [settled] = factsOf(history, 'SynthesisSettled');
  expect(settled).toMatchObject({ attempt: 2, failure: null, overrunMicros: 0 });
  const charged = writer.providers.chargedMicros - before.paid + Number(settled?.committedMicros);
  expect(factsOf(history, 'JobCompleted')).toMatchObject([{ chargedMicros: charged, lostMicros: RESERVE }]);
  expect(job.totalCustomerCostCents).toBe(centsFromMicros(charged));
});

it('a synthesizer that is told to stop leaves a model that does not answer to the next one', async () => {
  const submits = writer.calls('submit').length;
  writer.emulator.behave('hang times=1');
  const asked = await ask();
  await writer.reached('submit', submits + 1);
  expect(await supervisor.the('synthesizer').stop()).toEqual({ code: 0, signal: null });
  await supervisor.start('synthesizer', environment);
  const { job, history } = await ended(asked);
  expect(job.synthesisMarkdown).toMatch(/^## Summary/);
  expect(factsOf(history, 'SynthesisAttemptLost')).toMatchObject([{ attempt: 1 }]);
  expect(factsOf(history, 'SynthesisSettled')).toMatchObject([{ attempt: 2, failure: null }]);
});

it('after two that were killed the report is written without the model, and no synthesis is charged', async () => {
  const before = { submits: writer.calls('submit').length, paid: writer.providers.chargedMicros };
  writer.emulator.behave('hang');
  const asked = await ask();
  await killOnceAsked(before.submits + 1);
  await killOnceAsked(before.submits + 2);
  const { job, history } = await ended(asked);
  expect(job.status).toBe('completed');
  expect(job.synthesisMarkdown).toMatch(/^\*Written without the model: 2 attempts were lost/);
  expect(writer.calls('submit').length - before.submits).toBe(2);
  expect(factsOf(history, 'SynthesisAttemptLost')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(factsOf(history, 'SynthesisSettled')).toEqual([]);
  expect(factsOf(history, 'JobCompleted')).toMatchObject([
    { chargedMicros: writer.providers.chargedMicros - before.paid, lostMicros: 2 * RESERVE },
  ]);
});
