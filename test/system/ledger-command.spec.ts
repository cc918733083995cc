import type { JobLedger } from '@lib/domain/ledger';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';
import { ledgerOfAnswer } from '../../src/cli/ledger';
import { createDatabase, type TestDatabase } from '../servers/database';
import { research } from './support/command';
import { startSystem, type System } from './support/system';

/** Programs are started and waited for, on a machine that may have more to do. */
jest.setTimeout(120_000);

/** A deployment whose keys nobody gave to the auditor: a database and nothing else. */
let database: TestDatabase;
let system: System;
let job: JobView;
let events: EventView[];
let auditor: Record<string, string>;

/** With a markup of 10 %: 30 cents of 44 reserved, nothing of 11 and more of which the cost is unknown, and a provider that does not fit. */
beforeAll(async () => {
  database = await createDatabase();
  auditor = { DATABASE_URL: database.url };
  system = await startSystem({
    database,
    environment: { MARKUP_PERCENT: '10' },
    providers: {
      'provider-a': { reserveCents: 40, costCents: 30 },
      'provider-b': { reserveCents: 10, costCents: 2, overrunCents: 5 },
      'provider-c': { reserveCents: 90, costCents: 1 },
    },
  });
  const asked = { message: 'How?', budget: 'XXS', providers: ['provider-a', 'provider-b', 'provider-c'] };
  job = await system.client.research(asked);
  events = await system.client.events(job.threadId, job.id);
});
afterAll(() => system.stop());

const EXPECTED = [
  'All amounts in cents. Cap 100.0000, markup 10 % on what providers bill.',
  '',
  '#  event          run            movement    amount            billed  committed  reserved',
  '1  JobRequested   provider-a #1  reserved   44.0000                       0.0000   44.0000',
  '1  JobRequested   provider-b #1  reserved   11.0000                       0.0000   55.0000',
];

/** What is told of each run, however the two providers took turns. */
const RUNS = [
  'run            prices of            billed  reserved    held  committed  released    lost  overrun    late',
  'provider-a #1             30.0000 reported   44.0000  0.0000    33.0000   11.0000  0.0000   0.0000  0.0000',
  'provider-b #1             15.0000 reported   11.0000  0.0000    11.0000    0.0000  0.0000   5.5000  0.0000',
  'provider-c #1                                 0.0000  0.0000     0.0000    0.0000  0.0000   0.0000  0.0000',
  'total                                        55.0000  0.0000    44.0000   11.0000  0.0000   5.5000  0.0000',
  '',
  'The customer is charged 44 cents: 44.0000, rounded up once.',
  'The history agrees with itself.',
  '',
];

it('reads the ledger of a job from the database alone, without any secret', async () => {
  const { code, stdout, stderr } = await research(['ledger', job.id], auditor);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n').slice(0, EXPECTED.length)).toEqual(EXPECTED);
  expect(stdout.split('\n').slice(-RUNS.length)).toEqual(RUNS);
  expect(job.totalCustomerCostCents).toBe(44);
});

it('reads the same from what the events route answers, for whoever has a key', async () => {
  const answer = JSON.stringify({ jobId: job.id, events });
  const [own, piped, json] = await Promise.all([
    research(['ledger', job.id], auditor),
    research(['ledger', '-'], {}, answer),
    research(['ledger', '--json', '-'], {}, answer),
  ]);
  expect(piped).toEqual(own);
  expect(JSON.parse(json.stdout) as JobLedger).toMatchObject({ chargedMicros: 440_000, markupBasisPoints: 1_000, discrepancies: [] });
});

it('ends with 1 if the events contradict each other, and says which', async () => {
  const altered = events.map((event) =>
    event.type === 'JobCompleted' ? { ...event, facts: { ...event.facts, chargedMicros: 450_000 } } : event,
  );
  const { code, stdout } = await research(['ledger', '-'], {}, JSON.stringify({ events: altered }));
  expect(code).toBe(1);
  expect(stdout).toContain(`- event ${events.length} JobCompleted says charged 450000, the accounts say 440000\n`);
});

it('refuses what is no job, with 3 and a reason', async () => {
  const nobody = 'job_01jd6xw8k2e4zvq7h3m5n9p0rs';
  const ended = await Promise.all([
    research(['ledger', 'thr_1'], {}),
    research(['ledger', nobody], auditor),
    research(['ledger', '-'], {}, '<html>'),
  ]);
  const reasons = [
    /must be the id of a job/,
    new RegExp(`^The database holds no job ${nobody}\\.\n$`),
    /^Standard input is not what GET .* answers: it is not JSON\.\n$/,
  ];
  expect(ended).toEqual(reasons.map((stderr) => ({ code: 3, stdout: '', stderr: expect.stringMatching(stderr) as string })));
});

it.each([
  ['nothing', 'null', /no list of events/],
  ['a refusal', '{"error":"not_found"}', /no list of events/],
  ['a list of nothing', '{"events":[null]}', /event 1 is missing or incomplete/],
])('reads no ledger out of %s', (_, answer, reason) => {
  expect(() => ledgerOfAnswer(answer)).toThrow(reason);
});

it('reads no ledger out of a history with a gap, without its beginning, without its facts, or of a newer build', () => {
  const altered = (change: Partial<EventView>) => [{ ...events[0], ...change }];
  const refusals: [object[], RegExp][] = [
    [events.filter(({ version }) => version !== 2), /event 2 is missing or incomplete/],
    [altered({ type: 'StepStarted', schemaVersion: 1 }), /does not begin with JobRequested/],
    [altered({ facts: {} }), /lacks facts that the ledger needs/],
    [altered({ schemaVersion: 99 }), /JobRequested of schema version 99, .* run the newer build/],
  ];
  for (const [history, reason] of refusals) expect(() => ledgerOfAnswer(JSON.stringify({ events: history }))).toThrow(reason);
});

it('outlives the content of a deleted thread', async () => {
  expect((await system.client.send('DELETE', `/v1/threads/${job.threadId}`)).status).toBe(200);
  const { code, stdout } = await research(['ledger', job.id], auditor);
  expect(code).toBe(0);
  expect(stdout).toMatch(/The customer is charged 44 cents/);
});
