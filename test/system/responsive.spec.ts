import { PROVIDERS } from '@lib/domain/vocabulary';
import { entryOf } from '../support/logs';
import { startSystem, type System } from './support/system';

const LARGE = { reportBytes: 100 * 1024, citations: 50 };

let system: System;
beforeAll(async () => {
  system = await startSystem({ providers: Object.fromEntries(PROVIDERS.map((provider) => [provider, LARGE])) });
});
afterAll(() => system.stop());

const hasLogged = (type: string): boolean => system.logged.some((line) => entryOf(line).reason === type);

it('one process with every role answers while it synthesizes eight reports of 100 KB', async () => {
  const { id, job } = await system.client.createThread({ message: 'What is known?', providers: PROVIDERS, budget: 'XL' });
  let meanwhile = 0;
  while (!hasLogged('JobCompleted')) {
    const isSynthesizing = hasLogged('SynthesisStarted');
    await system.client.expect(200, 'GET', '/health/live');
    if (isSynthesizing && !hasLogged('JobCompleted')) meanwhile += 1;
  }
  // On the event loop it would be one: the request that waits for the synthesis to end.
  expect(meanwhile).toBeGreaterThan(5);
  const { status, steps } = await system.client.finalJob(id, job.id);
  expect(status).toBe('completed');
  expect(steps.map(({ reportMarkdown }) => reportMarkdown.length >= LARGE.reportBytes)).toEqual(PROVIDERS.map(() => true));
});
