import { eventually } from '../messaging/eventually';
import { startSystem, type System } from './support/system';

const DRAIN_MS = 1_500;
/** What is left when that is over is put away; and a slow machine needs a while for anything. */
const AFTERWARDS_MS = 2_000;
const SLOTS = 2;

let system: System;
beforeAll(async () => {
  system = await startSystem({
    providers: { 'provider-a': { latencyMs: 100 } },
    environment: { DRAIN_MS: String(DRAIN_MS), WORKER_SLOTS: String(SLOTS) },
  });
});
afterAll(() => system.stop());

const count = async (statement: string): Promise<number> => (await system.query(statement)).length;
const startedSteps = () => count(`select from event where type = 'StepStarted'`);

it('a process that stops takes nothing new in any role, however long it waits for one of them, and ends in its time', async () => {
  const { client } = system;
  const question = { message: 'q', providers: ['provider-a'] };
  const [first] = await Promise.all(Array.from({ length: 40 }, () => client.createThread(question)));
  await eventually(true, async () => (await startedSteps()) > SLOTS);
  // A request that has to wait for this lock is answered after the drain's time, with an error.
  await system.query('begin');
  await system.query('lock table message in access exclusive mode');
  const answer = client.send('GET', `/v1/threads/${first?.id ?? ''}`).catch(() => null);
  await eventually(1, () => count('select from pg_locks where not granted'));

  const startedBefore = await startedSteps();
  const began = performance.now();
  await system.services.get('all')?.stop();
  const tookMs = performance.now() - began;
  await answer;
  await system.query('commit');
  expect((await startedSteps()) - startedBefore).toBeLessThanOrEqual(SLOTS);
  expect(await count(`select from agenda where kind = 'lease'`)).toBe(0);
  expect(tookMs).toBeLessThan(DRAIN_MS + AFTERWARDS_MS);
}, 60_000);
