import type { Citation } from '@lib/domain/citation';
import type { CompletedResult } from '@lib/domain/job/commands';
import type { SagaPort } from '../../src/saga/saga-port';
import { checkedResult } from '../../src/saga/checked-result';
import { faulty } from '../support/faulty-saga';
import { success } from '../support/job-history';
import { candidate, createJob, TENANT } from '../support/store';
import { jobState } from '../support/streams';
import { startJobRoles, type JobRoles } from '../support/job-roles';

/** The attack: a worker that holds its attempt rightly says what no adapter would. Its saga is reached over the transport, as in a process of its own. */
let roles: JobRoles;
afterEach(() => roles.stop());

const source: Citation = {
  ...{ index: 1, url: 'https://example.org/a', title: null, snippet: null },
  ...{ startIndex: null, endIndex: null, publishedAt: null, domain: null },
};

/** What becomes of the job when the reports of its first attempt say this. */
async function outcomeOf(said: Partial<CompletedResult>, adapter = 'simulated') {
  let tries = 0;
  const lying = faulty((saga: SagaPort) => ({
    report: (request, until) =>
      saga.report((tries += 1) === 1 ? { ...request, result: { ...success(), ...said } as CompletedResult } : request, until),
  }));
  roles = await startJobRoles({ remote: true, between: lying });
  await roles.startWorker({ adapter });
  roles.startSweeper();
  const { jobId, threadId } = await createJob(roles.store, { candidates: [{ ...candidate('provider-a', { max: 400_000 }), adapter }] });
  const { commits, providers, logged } = roles;
  const submits = providers['provider-a'].submits;
  const ended = Promise.race(['JobCompleted', 'JobFailed'].map((type) => commits.until(jobId, type)));
  void (async () => {
    for (;;) (await submits.next()).finish();
  })().catch(() => undefined);
  await ended;
  const [step] = (await jobState(roles.store, jobId)).steps;
  const document = JSON.parse(String(await roles.store.views.getJob(TENANT, threadId, jobId))) as { steps: { citations: Citation[] }[] };
  return { step, types: commits.of(jobId), citations: document.steps[0]?.citations ?? [], logged: JSON.stringify(logged) };
}

it.each<[string, Partial<Citation>[], Partial<Citation>[]]>([
  [
    'links that run something are dropped, the others stay',
    ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x', '//example.org', ''].map((url, place) => ({
      url,
      index: place + 2,
    })),
    [{ url: 'https://example.org/a' }],
  ],
  [
    'spans beside the report are none',
    [
      { startIndex: 0, endIndex: 1_000_000 },
      { startIndex: 5, endIndex: 2 },
    ],
    [{}, { startIndex: null, endIndex: null }, { startIndex: null, endIndex: null }],
  ],
  ['a domain is the URL’s, whatever was told', [{ domain: 'trusted.example' }], [{}, { domain: 'example.org' }]],
  ['long titles are cut', [{ title: 'x'.repeat(100_000) }], [{}, { title: 'x'.repeat(1_000) }]],
])('%s', async (_, hostile, wanted) => {
  const citations = [source, ...hostile.map((changes) => ({ ...source, ...changes }))];
  const found = await outcomeOf({ citations });
  expect(found.step).toMatchObject({ status: 'completed' });
  expect(found.citations).toHaveLength(wanted.length);
  expect(found.citations).toMatchObject(wanted);
});

it('a report of an adapter that reads no documents cites none, so that its words do not pass for those of a document', async () => {
  const citations = [source, { ...source, index: 2, url: 'corpus:/handbook.md#L1-L9' }];
  const found = await outcomeOf({ citations }, 'openai');
  expect([found.step?.status, found.citations.map(({ url }) => url)]).toEqual(['completed', ['https://example.org/a']]);
  expect(found.logged).toContain('citations_dropped');
});

it.each<[string, Partial<CompletedResult>]>([
  ['no text', { reportMarkdown: ' \n' }],
  ['a report of five million characters', { reportMarkdown: 'x'.repeat(5_000_000) }],
  ['more citations than any report has', { citations: Array<Citation>(2_001).fill(source) }],
  ['one mark for two sources', { citations: [source, { ...source, url: 'https://example.org/b' }] }],
  ['a mark that is none', { citations: [{ ...source, index: 0 }] }],
])('a report with %s is a failed attempt, is told in the log, and the job ends', async (_, said) => {
  const { step, types, logged } = await outcomeOf(said);
  expect(types).toContain('StepFailed');
  expect(types.at(-1)).toMatch(/^Job(Completed|Failed)$/);
  expect(step?.attempts[0]).toMatchObject({ reported: true, open: false });
  expect(logged).toContain('report_refused');
});

it.each([
  [{ micros: -1, provenance: 'reported' }, 'micros'],
  [{ micros: Number.NaN, provenance: 'reported' }, 'micros'],
  [{ micros: 0.5, provenance: 'reported' }, 'micros'],
  [{ micros: 1e15, provenance: 'reported' }, 'micros'],
  [{ micros: 1, provenance: 'a guess' }, 'provenance'],
])('a charge of %j is refused for its %s, and the job ends', async (charge, name) => {
  const { types, logged } = await outcomeOf({ charge: charge as CompletedResult['charge'] });
  expect(logged).toContain(name);
  expect(types.at(-1)).toMatch(/^Job(Completed|Failed)$/);
});

it('a charge of half a million dollars counts to a hundred times the reservation, as an estimate, and the customer pays what was reserved', async () => {
  const { step, logged } = await outcomeOf({ charge: { micros: 5e11, provenance: 'reported' } });
  expect(step?.runs[0]).toMatchObject({ committedMicros: 400_000, overrunMicros: 1e8 - 400_000 });
  expect(logged).toContain('charge_large');
});

it.each([
  ['m'.repeat(500), 'm'.repeat(200)],
  ['a\u001b[31mmodel\nof two lines', 'a [31mmodel of two lines'],
  ['\n', null],
])('the name of a model %j fits into one line', (model, shown) => {
  expect(checkedResult({ ...(success() as CompletedResult), model }, false)).toMatchObject({
    result: { outcome: 'completed', model: shown },
    doubts: [],
  });
});
