import { centsFromMicros } from '@lib/domain/money';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';

import { startSystem, type System } from '../../system/support/system';
import { EmulatedProviders } from './emulated-providers';

jest.setTimeout(60_000);

const JOBS = 6;
/** As `CIRCUIT` in the saga has it. */
const FAILURES_THAT_OPEN = 5;
const BROKEN_CONCURRENCY = 2;

let providers: EmulatedProviders;
let system: System;

beforeAll(async () => {
  providers = await EmulatedProviders.start({ 'provider-c': { concurrency: BROKEN_CONCURRENCY } });
  system = await startSystem({ providers: null, environment: { ...providers.environment, SWEEP_MS: '100' } });
});
afterAll(async () => {
  await system?.stop();
  await providers?.stop();
});

interface Ended {
  job: JobView;
  events: EventView[];
}

async function research(): Promise<Ended> {
  const asked = { message: 'How does Wren rotate its files?', budget: 'XL', providers: ['provider-a', 'provider-c'] } as const;
  const { id, job } = await system.client.createThread(asked);
  return { job: await system.client.finalJob(id, job.id), events: await system.client.events(id, job.id) };
}

it('a provider that only fails is left alone after a few calls, and six jobs complete without it and say why', async () => {
  providers.the('provider-c').behave('500');
  const ended = await Promise.all(Array.from({ length: JOBS }, research));
  const reasons = ended.map(({ job }) => job.steps.find(({ provider }) => provider === 'provider-c')?.errorMessage);

  for (const { job, events } of ended) {
    expect(job.status).toBe('completed');
    expect(job.steps.map(({ provider, status }) => [provider, status])).toEqual([
      ['provider-a', 'completed'],
      ['provider-c', 'skipped'],
    ]);
    expect(events.map(({ type }) => type)).not.toContain('DeadlineReached');
    expect(job.synthesisMarkdown).toContain('- provider-c — Skipped: provider unavailable.');
  }
  for (const reason of reasons) expect(reason).toMatch(/^Skipped: provider unavailable\. Its last calls had failed/);

  const calls = providers.calls('provider-c', 'submit').length;
  expect(calls).toBeGreaterThanOrEqual(FAILURES_THAT_OPEN);
  expect(calls).toBeLessThan(FAILURES_THAT_OPEN + BROKEN_CONCURRENCY);
  expect(providers.calls('provider-a', 'submit')).toHaveLength(JOBS);
  const charged = ended.reduce((sum, { job }) => sum + job.totalCustomerCostCents, 0);
  expect(charged).toBeGreaterThanOrEqual(centsFromMicros(providers.chargedMicros));
});
