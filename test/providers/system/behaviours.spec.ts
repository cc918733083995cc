import { microsFromCents } from '@lib/domain/money';
import { isFinalEvent, type JobEvent, type JobRequested } from '@lib/domain/job/events';
import type { Totals } from '@lib/domain/job/facts';
import { ledgerOf } from '@lib/domain/ledger';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';

import type { LedgerLine } from '../../../emulators/ledger';
import { factsOf } from '../../support/histories';
import { startSystem, type System } from '../../system/support/system';
import { EmulatedProviders, KEY } from './emulated-providers';

jest.setTimeout(240_000);

/** Those that look like a provider that is down come last, for a provider that is left alone answers no other job either. */
const BEHAVIOURS = [
  'slow ms=100',
  '401',
  '402',
  '403',
  '404',
  '410',
  '422',
  '429 retry-after=1',
  '503 times=1',
  'reset on=poll times=1',
  'refusal',
  'truncated',
  'empty',
  'no-citations',
  'citations count=400',
  'citations-out-of-range',
  'invalid-utf8',
  'invalid-json',
  'cost as=negative, usage as=negative',
  'cost as=nan, usage as=nan',
  'cost as=missing, usage as=missing',
  'overcharge usd=90',
  'late ms=20000',
  'forgotten',
  'hang',
  'hang-body',
  'reset',
  'reset-body',
  '500',
  '529',
  'fails',
  'drip megabytes=20',
  'gzip-bomb megabytes=20',
  'never-ends',
];

/** Jobs: providers, service and client of all of them share one process. */
const AT_A_TIME = 12;

let providers: EmulatedProviders;
let system: System;

beforeAll(async () => {
  providers = await EmulatedProviders.start();
  const environment = { ...providers.environment, FAST_DEADLINE_MS: '15000', LEASE_MS: '5000', HEARTBEAT_MS: '1000', SWEEP_MS: '200' };
  system = await startSystem({ providers: null, environment });
});
afterAll(async () => {
  await system?.stop();
  await providers?.stop();
});

interface Ended {
  /** What was asked, which no other job asked. */
  message: string;
  job: JobView;
  events: EventView[];
}

/** Asks eight providers that all behave so. */
async function research(behaviour: string): Promise<Ended> {
  const message = `How does Wren rotate its files? [[emulate:${behaviour}]]`;
  const { id, job } = await system.client.createThread({ message, budget: 'XL', providers: PROVIDERS });
  for (;;) {
    const current = await system.client.getJob(id, job.id);
    if (current.completedAt !== null) return { message, job: current, events: await system.client.events(id, job.id) };
    await new Promise((wake) => setTimeout(wake, 250));
  }
}

const isFinal = ({ type }: EventView): boolean => isFinalEvent(type);

/** Each job as its events tell it. */
function expectSound({ job, events }: Ended): void {
  expect(events.filter(isFinal)).toHaveLength(1);
  expect(job.steps).toHaveLength(PROVIDERS.length);
  for (const { status, errorMessage, reportMarkdown } of job.steps) {
    expect(status === 'completed' ? reportMarkdown : errorMessage).toMatch(/\S/);
    expect(status === 'completed').toBe(errorMessage === null);
  }
  const { budgetCapCents } = factsOf(events, 'JobRequested')[0] as unknown as JobRequested['facts'];
  const { chargedMicros, lostMicros } = events.find(isFinal)?.facts as unknown as Totals;
  expect(chargedMicros + lostMicros).toBeLessThanOrEqual(microsFromCents(budgetCapCents));
  expect(job.totalCustomerCostCents).toBe(Math.ceil(chargedMicros / 10_000));
}

const submitsOf = ({ message }: Ended, provider: ProviderId): LedgerLine[] =>
  providers.calls(provider, 'submit').filter(({ question }) => question?.includes(message));

/** The emulators' books beside the job's events: no more calls than attempts of its step were granted, and every charge in the step's accounts. */
function expectAccounted(one: Ended): void {
  const { accounts, discrepancies } = ledgerOf(one.events.map(({ type, facts }) => ({ type, facts }) as unknown as JobEvent));
  expect(discrepancies).toEqual([]);
  for (const { id, provider } of one.job.steps) {
    const submits = submitsOf(one, provider);
    const granted = factsOf(one.events, 'StepStarted').filter(({ stepId, resumed }) => stepId === id && resumed === false);
    expect(submits.length).toBeLessThanOrEqual(granted.length);
    const runs = new Set(submits.flatMap(({ runId }) => runId ?? []));
    const charges = providers.calls(provider, 'charge').filter(({ runId }) => runs.has(runId ?? ''));
    const billed = charges.reduce((sum, { chargedMicros }) => sum + chargedMicros, 0);
    const booked = accounts.filter(({ stepId }) => stepId === id).map(({ charge, lostMicros }) => charge?.micros ?? lostMicros);
    expect(booked.reduce((sum, micros) => sum + micros, 0)).toBeGreaterThanOrEqual(billed);
  }
}

it('whatever all providers do at once, every job ends once with a reason for each step, and no paid call is unaccounted', async () => {
  const ended: Ended[] = [];
  for (let next = 0; next < BEHAVIOURS.length; next += AT_A_TIME) {
    ended.push(...(await Promise.all(BEHAVIOURS.slice(next, next + AT_A_TIME).map(research))));
  }
  for (const one of ended) expectSound(one);

  for (const one of ended) expectAccounted(one);
  const joined = ended.flatMap((one) => PROVIDERS.flatMap((provider) => submitsOf(one, provider)));
  expect(joined).toHaveLength(PROVIDERS.flatMap((provider) => providers.calls(provider, 'submit')).length);

  const totals = ended.map((one) => one.events.find(isFinal)?.facts as unknown as Totals);
  const accounted = totals.reduce(
    (sum, { chargedMicros, lostMicros, overrunMicros }) => sum + chargedMicros + lostMicros + overrunMicros,
    0,
  );
  expect(accounted).toBeGreaterThanOrEqual(providers.chargedMicros);

  const statuses = Object.fromEntries(BEHAVIOURS.map((behaviour, position) => [behaviour, ended[position]?.job.status]));
  const failing = [
    '401',
    '402',
    '403',
    '404',
    '410',
    '422',
    '500',
    '529',
    'fails',
    'refusal',
    'empty',
    'invalid-json',
    'never-ends',
    'hang',
  ];
  for (const behaviour of failing) expect([behaviour, statuses[behaviour]]).toEqual([behaviour, 'failed']);
  const completing = [
    'slow ms=100',
    'truncated',
    'no-citations',
    'citations-out-of-range',
    'overcharge usd=90',
    '503 times=1',
    'reset on=poll times=1',
  ];
  for (const behaviour of completing) expect([behaviour, statuses[behaviour]]).toEqual([behaviour, 'completed']);

  expect(system.logged.join('\n')).not.toContain(KEY);
  expect(JSON.stringify(ended)).not.toContain(KEY);
});
