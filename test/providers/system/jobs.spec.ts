import { centsFromMicros } from '@lib/domain/money';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';

import { eventually } from '../../messaging/eventually';
import { factsOf } from '../../support/histories';
import { startSystem, type System } from '../../system/support/system';
import { EmulatedProviders, KEY } from './emulated-providers';

jest.setTimeout(60_000);

let providers: EmulatedProviders;
let system: System;

async function start(
  reserves: Parameters<typeof EmulatedProviders.start>[0],
  environment: Record<string, string> = {},
  workMs?: number,
): Promise<void> {
  providers = await EmulatedProviders.start(reserves, workMs);
  system = await startSystem({ providers: null, environment: { ...providers.environment, LOG_LEVEL: 'debug', ...environment } });
}

afterEach(async () => {
  await system.stop();
  await providers.stop();
  expect(system.logged.join('\n')).not.toContain(KEY);
});

async function research(asked: ProviderId[], body: object = {}): Promise<{ job: JobView; events: EventView[] }> {
  const { id, job } = await system.client.createThread({
    message: 'How does Wren rotate its files?',
    budget: 'XL',
    providers: asked,
    ...body,
  });
  return { job: await system.client.finalJob(id, job.id), events: await system.client.events(id, job.id) };
}

const step = (job: JobView, provider: ProviderId) => job.steps.find((candidate) => candidate.provider === provider);
it('eight providers of which two fail and one is over budget: the job completes, and its report and steps say what happened', async () => {
  await start({ 'provider-d-premium': { minReserveCents: 5500, maxReserveCents: 6000 } });
  providers.the('provider-c').behave('401');
  providers.the('provider-e').behave('refusal');
  const { job, events } = await research([...PROVIDERS.filter((provider) => provider !== 'provider-d-premium'), 'provider-d-premium']);

  expect(job.status).toBe('completed');
  const statuses = Object.fromEntries(job.steps.map(({ provider, status }) => [provider, status]));
  expect(statuses).toEqual({
    'provider-a': 'completed',
    'provider-b': 'completed',
    'provider-b-lite': 'completed',
    'provider-c': 'failed',
    'provider-c-mini': 'completed',
    'provider-d': 'completed',
    'provider-d-premium': 'skipped',
    'provider-e': 'failed',
  });
  expect(step(job, 'provider-c')?.errorMessage).toMatch(/401/);
  expect(step(job, 'provider-e')?.errorMessage).toMatch(/refus/i);
  expect(step(job, 'provider-d-premium')?.errorMessage).toMatch(/budget/);
  for (const provider of ['provider-c', 'provider-e', 'provider-d-premium']) expect(job.synthesisMarkdown).toContain(`- ${provider} `);
  expect(job.synthesisMarkdown).toMatch(/^1\. The Wren log service was released in 2021 .*\(provider-a, provider-b, /m);
  expect(job.synthesisMarkdown).toMatch(/## Agreed by several providers\n\nPoints 1 /);
  expect(job.synthesisMarkdown).toMatch(
    /## Disputed\n\n[^#]*14 rotated files[^#]*30 rotated files|## Disputed\n\n[^#]*30 rotated files[^#]*14/,
  );

  const submits = PROVIDERS.map((provider) => providers.calls(provider, 'submit').length);
  expect(Object.fromEntries(PROVIDERS.map((provider, position) => [provider, submits[position]]))).toEqual(
    Object.fromEntries(PROVIDERS.map((provider) => [provider, provider === 'provider-d-premium' ? 0 : 1])),
  );
  expect(factsOf(events, 'JobCompleted')).toMatchObject([{ chargedMicros: providers.chargedMicros, lostMicros: 0, overrunMicros: 0 }]);
  expect(job.totalCustomerCostCents).toBe(centsFromMicros(providers.chargedMicros));
  expect(JSON.stringify({ job, events })).not.toContain(KEY);
});

it('a provider that is overloaded once is asked again; each attempt is one submit', async () => {
  await start({});
  providers.the('provider-a').behave('503 times=1');
  const { job, events } = await research(['provider-a']);
  expect(job.status).toBe('completed');
  expect(providers.calls('provider-a', 'submit').map(({ runId }) => runId !== null)).toEqual([false, true]);
  expect(factsOf(events, 'StepStarted')).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
  expect(job.totalCustomerCostCents).toBe(centsFromMicros(providers.chargedMicros));
});

it('a provider that asks for time gets it before it is asked again', async () => {
  await start({});
  providers.the('provider-e').behave('429 retry-after=2 times=1');
  await research(['provider-e']);
  const [first, second] = providers.calls('provider-e', 'submit').map(({ at }) => Date.parse(at));
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(2000);
});

it('a provider that charges more than was reserved is paid by the operator, not by the customer', async () => {
  await start({ 'provider-c': { maxReserveCents: 200 } });
  providers.the('provider-c').behave('overcharge usd=70');
  const { job, events } = await research(['provider-c', 'provider-a']);
  expect(job.status).toBe('completed');
  const reservedMicros = 2_000_000;
  const charged = providers.the('provider-c').chargedMicros;
  expect(factsOf(events, 'StepCompleted')).toContainEqual(
    expect.objectContaining({ committedMicros: reservedMicros, overrunMicros: charged - reservedMicros }),
  );
  expect(job.totalCustomerCostCents).toBe(centsFromMicros(reservedMicros + providers.the('provider-a').chargedMicros));
});

it('providers that never end are cancelled at the deadline of the job, and the rest is synthesized', async () => {
  await start({}, { FAST_DEADLINE_MS: '2000', LEASE_MS: '1000', HEARTBEAT_MS: '200', SWEEP_MS: '100' });
  for (const provider of ['provider-a', 'provider-e'] as const) providers.the(provider).behave('never-ends');
  const { job, events } = await research(['provider-a', 'provider-b', 'provider-e']);
  expect(job.status).toBe('completed');
  expect(job.steps.filter(({ status }) => status === 'completed').map(({ provider }) => provider)).toEqual(['provider-b']);
  for (const provider of ['provider-a', 'provider-e'] as const) {
    // Either the attempt's own limit of time came first or the job's.
    expect(step(job, provider)).toMatchObject({ status: 'failed', errorMessage: expect.stringMatching(/deadline|within/) });
    expect(job.synthesisMarkdown).toMatch(new RegExp(`^- ${provider} (?:failed|—) .*(?:deadline|no time was left)`, 'm'));
  }
  await providers.reached('provider-a', 'cancel');
  await providers.reached('provider-e', 'disconnect');
  expect(job.totalCustomerCostCents).toBe(centsFromMicros(providers.the('provider-b').chargedMicros));
  expect(events.at(-1)?.type).toBe('JobCompleted');
});

it('the first provider of a methodical job that never ends leaves the later ones their time', async () => {
  await start({}, { METHODICAL_DEADLINE_MS: '6000', LEASE_MS: '1000', HEARTBEAT_MS: '200', SWEEP_MS: '100' });
  providers.the('provider-a').behave('never-ends');
  const { job } = await research(['provider-a', 'provider-b', 'provider-e'], { mode: 'methodical' });
  expect(job.status).toBe('completed');
  expect(job.steps.map(({ provider, status }) => [provider, status])).toEqual([
    ['provider-a', 'failed'],
    ['provider-b', 'completed'],
    ['provider-e', 'completed'],
  ]);
  const { errorMessage } = step(job, 'provider-a') ?? {};
  expect(errorMessage).toMatch(/^No report came within 3\d{3} ms\. Not tried again: no time was left for it\.$/);
  expect(job.synthesisMarkdown).toContain(`- provider-a failed (timeout): ${errorMessage}`);
  await providers.reached('provider-a', 'cancel');
  expect(providers.calls('provider-a', 'submit')).toHaveLength(1);
});

it('a run that goes on although its provider took the request to stop it counts as stopped only once it is over', async () => {
  await start({}, { HEARTBEAT_MS: '300' });
  const asked = ['provider-a', 'provider-b', 'provider-c'] as const;
  for (const provider of asked) providers.the(provider).behave('unstoppable, late ms=6000');
  const { id, job } = await system.client.createThread({ message: 'How?', budget: 'XL', providers: asked });
  await Promise.all(asked.map((provider) => providers.reached(provider, 'poll')));
  await system.client.expect<JobView>(200, 'POST', `/v1/threads/${id}/jobs/${job.id}/cancel`);
  const stopped = async () => (await system.client.events(id, job.id)).filter(({ type }) => type === 'StepRunCancelled');
  await eventually(asked.length, async () => (await stopped()).length, 30_000);
  const endedAt = Math.min(...asked.flatMap((provider) => providers.calls(provider, 'charge').map(({ at }) => Date.parse(at))));
  for (const { facts, occurredAt } of await stopped()) {
    expect(facts).toMatchObject({ outcome: 'agreed' });
    expect(Date.parse(occurredAt)).toBeGreaterThan(endedAt);
  }
});

it('a cancelled job stops at the providers within a heartbeat, starts nothing more and keeps what was paid for', async () => {
  await start({}, { HEARTBEAT_MS: '300' }, 20_000);
  providers.the('provider-b-lite').behave('late ms=30');
  const asked: ProviderId[] = ['provider-a', 'provider-b', 'provider-b-lite', 'provider-e'];
  const { id, job } = await system.client.createThread({ message: 'How?', budget: 'XL', providers: asked });
  await Promise.all([
    providers.reached('provider-a', 'poll'),
    providers.reached('provider-b', 'poll'),
    providers.reached('provider-e', 'submit'),
  ]);
  await eventuallyCompleted(id, job.id);
  const path = `/v1/threads/${id}/jobs/${job.id}/cancel`;
  const cancelled = await system.client.expect<JobView>(200, 'POST', path);
  expect(cancelled.status).toBe('cancelled');
  expect(await system.client.expect<JobView>(200, 'POST', path)).toEqual(cancelled);
  await Promise.all([
    providers.reached('provider-a', 'cancel'),
    providers.reached('provider-b', 'cancel'),
    providers.reached('provider-e', 'disconnect'),
  ]);
  expect(step(cancelled, 'provider-b-lite')).toMatchObject({
    status: 'completed',
    reportMarkdown: expect.stringContaining('Emulated answer'),
  });
  expect(cancelled.totalCustomerCostCents).toBe(centsFromMicros(providers.the('provider-b-lite').chargedMicros));
  for (const provider of asked) expect(providers.calls(provider, 'submit')).toHaveLength(1);
});

it('a methodical job asks its second provider otherwise than a fast one does: with what the first reported', async () => {
  await start({});
  const asked: ProviderId[] = ['provider-a', 'provider-c'];
  const inputsOf = async (mode: string): Promise<string[]> => {
    const before = asked.map((provider) => providers.the(provider).requests.length);
    expect((await research(asked, { mode })).job.status).toBe('completed');
    return asked.map((provider, position) => {
      const [submit] = providers.the(provider).requests.slice(before[position]);
      return String((submit?.body as { input: unknown }).input);
    });
  };
  const [firstFast, secondFast] = await inputsOf('fast');
  const [first, second] = await inputsOf('methodical');

  const question = '<question>\nHow does Wren rotate its files?\n</question>';
  expect([firstFast, secondFast, first]).toEqual([question, question, question]);
  expect(second).toMatch(/^<question>\nHow does Wren rotate its files\?\n<\/question>\n\n<brief>\n[^]+\n<\/brief>$/);
  // A statement that the first provider alone has made so far.
  expect(second).toMatch(/Said by one report only; confirm or refute:\n- .*Wren/);
});

it('a deleted thread stops its runs at the providers', async () => {
  await start({}, { HEARTBEAT_MS: '300' }, 20_000);
  const { id } = await system.client.createThread({ message: 'How?', budget: 'XL', providers: ['provider-a', 'provider-d'] });
  await Promise.all([providers.reached('provider-a', 'poll'), providers.reached('provider-d', 'submit')]);
  await fetch(`${system.client.address}/v1/threads/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${await system.keyOf('default')}` },
  });
  await Promise.all([providers.reached('provider-a', 'cancel'), providers.reached('provider-d', 'disconnect')]);
  for (const provider of ['provider-a', 'provider-d'] as const) expect(providers.calls(provider, 'submit')).toHaveLength(1);
});

/** The step of the provider that answers has been recorded. */
async function eventuallyCompleted(threadId: string, jobId: string): Promise<void> {
  for (;;) {
    const events = await system.client.events(threadId, jobId);
    if (factsOf(events, 'StepCompleted').length > 0) return;
    await new Promise((wake) => setTimeout(wake, 20));
  }
}
