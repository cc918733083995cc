import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { ProviderId } from '@lib/domain/vocabulary';
import { ledgerOf } from '@lib/domain/ledger';
import type { JobEvent } from '@lib/domain/job/events';
import { centsFromMicros, type Usage } from '@lib/domain/money';
import type { Prices } from '@lib/providers/prices';
import { ADAPTERS } from '@lib/providers/registry';
import { readProvidersFile } from '@lib/settings/providers-file';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';
import { eventually } from '../../messaging/eventually';
import { startSystem, type System } from '../../system/support/system';
import { EmulatedProviders } from './emulated-providers';

jest.setTimeout(60_000);

const MARKUP = { percent: '33.33', basisPoints: 3_333 };

let providers: EmulatedProviders;
let system: System;

async function start(reserves: Parameters<typeof EmulatedProviders.start>[0], environment: Record<string, string> = {}): Promise<void> {
  providers = await EmulatedProviders.start(reserves);
  system = await startSystem({
    providers: null,
    environment: { ...providers.environment, MARKUP_PERCENT: MARKUP.percent, ...environment },
  });
}

afterEach(async () => {
  await system.stop();
  await providers.stop();
});

async function research(asked: ProviderId[], budget = 'XL'): Promise<{ job: JobView; events: EventView[] }> {
  const { id, job } = await system.client.createThread({ message: 'How does Wren rotate its files?', budget, providers: asked });
  return { job: await system.client.finalJob(id, job.id), events: await system.client.events(id, job.id) };
}

const ledgerFrom = (events: readonly EventView[]) => ledgerOf(events.map(({ type, facts }) => ({ type, facts }) as unknown as JobEvent));
const billed = (provider: ProviderId): number => providers.the(provider).chargedMicros;
const marked = (micros: number): number => Math.ceil((micros * (10_000 + MARKUP.basisPoints)) / 10_000);

it('what providers bill is charged with the markup, each run rounded up to the micro-dollar and the job once to the cent', async () => {
  await start({});
  const asked: ProviderId[] = ['provider-a', 'provider-c', 'provider-e'];
  const { job, events } = await research(asked);
  expect(job.status).toBe('completed');
  const ledger = ledgerFrom(events);
  expect(ledger).toMatchObject({ markupBasisPoints: MARKUP.basisPoints, discrepancies: [] });
  for (const provider of asked) {
    expect(billed(provider)).toBeGreaterThan(0);
    expect(ledger.accounts.find((account) => account.provider === provider)).toMatchObject({
      committedMicros: marked(billed(provider)),
      charge: { micros: billed(provider) },
    });
  }
  const expected = asked.reduce((sum, provider) => sum + marked(billed(provider)), 0);
  expect(ledger.chargedMicros).toBe(expected);
  expect(job.totalCustomerCostCents).toBe(centsFromMicros(expected));
});

it('a charge that we computed can be computed again, from what was recorded and the price table of that digest', async () => {
  await start({});
  const { events } = await research(['provider-c']);
  const completed: unknown = events.find(({ type }) => type === 'StepCompleted')?.facts;
  const recorded = completed as Extract<JobEvent, { type: 'StepCompleted' }>['facts'];
  expect(recorded.charge).toMatchObject({ provenance: 'computed', micros: billed('provider-c') });
  expect(recorded.call).toMatchObject({ status: 200, sentDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
  // As docs/audit.md says.
  const { prices } = readProvidersFile(system.env.PROVIDERS_FILE, ADAPTERS, {}).providers['provider-c'].options as { prices: Prices };
  const json = canonicalize(prices) ?? '';
  expect(recorded.charge?.pricesSha256).toBe(createHash('sha256').update(json).digest('hex'));
  const { inputTokens, cachedInputTokens, outputTokens, searches } = recorded.charge?.usage as Required<Record<keyof Usage, number>>;
  const tokens =
    (inputTokens - cachedInputTokens) * prices.inputMicrosPerMillionTokens +
    cachedInputTokens * prices.cachedInputMicrosPerMillionTokens +
    outputTokens * prices.outputMicrosPerMillionTokens;
  expect(recorded.charge?.micros).toBe(Math.ceil(tokens / 1_000_000) + searches * prices.perSearchMicros);
});

it('a provider that takes all that it may and more costs the customer exactly the cap, the operator the rest', async () => {
  await start({ 'provider-c': { minReserveCents: 50, maxReserveCents: 500 } });
  providers.the('provider-c').behave('overcharge usd=70');
  const { job, events } = await research(['provider-c'], 'XXS');
  expect(job).toMatchObject({ status: 'completed', budgetCapCents: 100, totalCustomerCostCents: 100 });
  const { totals, discrepancies } = ledgerFrom(events);
  expect(discrepancies).toEqual([]);
  expect(totals).toMatchObject({ committedMicros: 1_000_000, overrunMicros: marked(billed('provider-c')) - 1_000_000 });
});

it('the markup counts against the cap: a provider whose price fits only without it is refused with the smallest budget that would do', async () => {
  await start({ 'provider-c': { minReserveCents: 80, maxReserveCents: 80 } });
  const refused = await system.client.send('POST', '/v1/threads', { message: 'How?', budget: 'XXS', providers: ['provider-c'] });
  expect([refused.status, refused.body]).toEqual([
    422,
    expect.objectContaining({ error: expect.stringMatching(/smallest budget that would do is XS/) as string }),
  ]);
});

it('a provider that uses up the limits of its request stays within the reservation, for those are without the markup', async () => {
  await start({ 'provider-a': { minReserveCents: 30, maxReserveCents: 30 } }, { MARKUP_PERCENT: '150' });
  providers.the('provider-a').behave('greedy');
  const { events } = await research(['provider-a']);
  const { totals } = ledgerFrom(events);
  expect(totals).toMatchObject({ reservedMicros: 750_000, committedMicros: Math.ceil(2.5 * billed('provider-a')), overrunMicros: 0 });
  // With limits that include the markup it would have used more than all of it.
  expect(totals.committedMicros).toBeGreaterThan(750_000 / 2.5);
});

it('a job that was cancelled is charged for what had been billed, and its ledger says what was lost', async () => {
  await start({}, { HEARTBEAT_MS: '300' });
  providers.the('provider-e').behave('slow');
  const { id, job } = await system.client.createThread({ message: 'How?', budget: 'XL', providers: ['provider-b-lite', 'provider-e'] });
  await providers.reached('provider-e', 'submit');
  await eventually(true, async () => (await system.client.events(id, job.id)).some(({ type }) => type === 'StepCompleted'));
  const cancelled = await system.client.expect<JobView>(200, 'POST', `/v1/threads/${id}/jobs/${job.id}/cancel`);
  const ledger = ledgerFrom(await system.client.events(id, job.id));
  expect(ledger.discrepancies).toEqual([]);
  expect(ledger.chargedMicros).toBe(marked(billed('provider-b-lite')));
  expect(cancelled.totalCustomerCostCents).toBe(centsFromMicros(marked(billed('provider-b-lite'))));
  expect(cancelled.steps).toMatchObject([
    { provider: 'provider-b-lite', status: 'completed', errorMessage: null },
    { provider: 'provider-e', status: 'failed', errorMessage: 'Stopped: the job was cancelled before this provider had reported.' },
  ]);
  expect(ledger.accounts.find(({ provider }) => provider === 'provider-e')).toMatchObject({ committedMicros: 0, charge: null });
  expect(ledger.totals.lostMicros).toBeGreaterThan(0);
});

it('a job that runs out of budget says in its steps and its report what was cut, and how much was missing', async () => {
  await start(
    {
      'provider-a': { minReserveCents: 30, maxReserveCents: 30 },
      'provider-e': { minReserveCents: 60, maxReserveCents: 60 },
      'provider-c': { minReserveCents: 45, maxReserveCents: 45 },
    },
    { MARKUP_PERCENT: '0' },
  );
  providers.the('provider-e').behave('invalid-json');
  const { job, events } = await research(['provider-a', 'provider-e', 'provider-c'], 'XXS');
  const reasonOf = (asked: ProviderId): string => job.steps.find(({ provider }) => provider === asked)?.errorMessage ?? '';
  expect(reasonOf('provider-c')).toBe(
    "Skipped: this provider needs at least 45 cents, but only 10 of the budget's 100 cents remained for it.",
  );
  expect(reasonOf('provider-e')).toMatch(
    /\. Not tried again: another try needs at least 60 cents, but only [\d.]+ of the budget's 100 cents remained\.$/,
  );
  for (const cut of ['provider-c', 'provider-e'] as const) expect(job.synthesisMarkdown).toContain(reasonOf(cut));
  expect(providers.calls('provider-e', 'submit')).toHaveLength(1);
  expect(ledgerFrom(events)).toMatchObject({ discrepancies: [], totals: { heldMicros: 0, lostMicros: 600_000 } });
});
