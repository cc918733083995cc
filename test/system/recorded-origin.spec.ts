import type { EventView } from '@lib/store/views/event.view';
import { startSystem, type System } from './support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

const byType = (events: EventView[]) => Object.fromEntries(events.map(({ type, facts }) => [type, facts]));
const THIS_PROCESS = { instance: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, build: expect.any(String) as string };

it('a job records which message it answers, what was asked and what was left to the defaults, by which settings and processes', async () => {
  const { client } = system;
  const asked = await client.createThread({ message: 'How is this recorded?', providers: ['provider-a'], budget: 'S' });
  await client.finalJob(asked.id, asked.job.id);
  const facts = byType(await client.events(asked.id, asked.job.id));
  expect(facts.JobRequested).toMatchObject({
    ...{ tenantId: 'default', messageId: asked.message.id, budgetTier: 'S', researchMode: 'fast', spideringEnabled: false },
    asked: { budgetTier: 'S', researchMode: null, spideringEnabled: null, providers: ['provider-a'] },
    settingsSha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    process: THIS_PROCESS,
  });
  for (const type of ['StepStarted', 'JobCompleted']) expect(facts[type]).toMatchObject({ process: THIS_PROCESS });
  expect(facts.StepCompleted).toMatchObject({
    rawDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    call: { sentDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string, requestIdDigest: null, status: null },
  });
  const traces = (await client.events(asked.id, asked.job.id)).map((event) => event.facts.traceId);
  expect(new Set(traces)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{32}$/) as string]));

  const defaults = await client.createThread({ message: 'And by default?' });
  const [requested] = await client.events(defaults.id, defaults.job.id);
  const nothing = { budgetTier: null, researchMode: null, spideringEnabled: null, providers: null };
  expect(requested?.facts).toMatchObject({ budgetTier: 'M', asked: nothing, settingsSha256: facts.JobRequested?.settingsSha256 });
  expect(requested?.facts.traceId).not.toBe(traces[0]);

  const pursued = await client.pursue(asked.id, asked.job.id, { topic: 'What follows?', mode: 'methodical', spidering: false });
  const [first] = await client.events(asked.id, pursued.id);
  expect(first?.facts).toMatchObject({
    ...{ messageId: null, parentJobId: asked.job.id },
    asked: { budgetTier: null, researchMode: 'methodical', spideringEnabled: false, providers: null },
  });
});
