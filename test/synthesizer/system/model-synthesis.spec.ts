import { centsFromMicros, microsFromCents } from '@lib/domain/money';
import type { EventView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';

import { KEY } from '../../providers/system/emulated-providers';
import { factsOf } from '../../support/histories';
import { startSystem, type System } from '../../system/support/system';
import { EmulatedWriter, PRICE_DATE, RESERVE_CENTS, WRITERS, type WriterAdapter } from './emulated-writer';

jest.setTimeout(120_000);

const ADAPTERS = Object.keys(WRITERS) as WriterAdapter[];
const ASKED = ['provider-a', 'provider-c', 'provider-d'] as const;
const LEASES = { SYNTHESIS_DEADLINE_MS: '30000' };

let writer: EmulatedWriter;
let system: System;

/** What the service that runs was started with; empty while only its model runs, null if nothing does. */
let running: string | null = null;

/** A service that the test before started in the same way serves this one too: whatever its model did, the next job gets its report. */
async function start(adapter: WriterAdapter, changes: object = {}, environment: Record<string, string> = LEASES): Promise<void> {
  const wanted = JSON.stringify({ adapter, changes, environment });
  if (running === wanted) return writer.begin();
  await stop();
  writer = await EmulatedWriter.start(adapter, changes);
  running = '';
  system = await startSystem({ providers: null, environment: { ...writer.providers.environment, ...environment } });
  running = wanted;
}

async function stop(): Promise<void> {
  if (running) await system.stop();
  if (running !== null) await writer.stop();
  running = null;
}

afterEach(() => expect(system.logged.join('\n')).not.toContain(KEY));
afterAll(stop);

interface Ended {
  job: JobView;
  events: EventView[];
  /** The report and its parts under their headings. */
  report: string;
  parts: ReadonlyMap<string, string>;
}

async function research(body: object = {}): Promise<Ended> {
  const request = { message: 'How does Wren rotate its files?', budget: 'XL', providers: ASKED, ...body };
  const { id, job } = await system.client.createThread(request);
  const final = await system.client.finalJob(id, job.id);
  const events = await system.client.events(id, job.id);
  const report = final.synthesisMarkdown ?? '';
  const parts = new Map(
    report
      .split(/^## /m)
      .slice(1)
      .map((part) => [part.split('\n', 1)[0] ?? '', part]),
  );
  expect(JSON.stringify({ final, events })).not.toContain(KEY);
  return { job: final, events, report, parts };
}

const USED = { inputTokens: expect.any(Number) as number, outputTokens: expect.any(Number) as number };
describe.each(ADAPTERS)('a report written by a model of %s', (adapter) => {
  it('rests on claims alone, carries our marks and costs what the model took', async () => {
    await start(adapter);
    const { job, events, report, parts } = await research();
    expect(job.status).toBe('completed');
    expect(report.startsWith('## Summary\n\n')).toBe(true);
    const sentences = parts.get('Summary')?.match(/\(clm_\d\d(?:, clm_\d\d)*(?:; disputed)?\)/g) ?? [];
    expect(sentences.length).toBeGreaterThan(2);
    expect(parts.get('Summary')).toMatch(
      /14 rotated files.*30 rotated files.*; disputed\)|30 rotated files.*14 rotated files.*; disputed\)/,
    );
    const listed = new Set(
      parts
        .get('Sources')
        ?.match(/^- \[\d+\]/gm)
        ?.map((line) => line.slice(2)),
    );
    const marks = parts.get('Summary')?.match(/\[\d+\]/g) ?? [];
    expect(marks.length).toBeGreaterThan(0);
    for (const mark of marks) expect(listed).toContain(mark);
    expect(parts.get('Disputed')).toMatch(/14 rotated files/);

    const cost = writer.chargedMicros;
    const { model } = WRITERS[adapter];
    expect(cost).toBeGreaterThan(0);
    // One that compares the reports, and one that writes of the claims.
    expect(writer.calls('submit')).toHaveLength(2);
    expect(factsOf(events, 'SynthesisClaimed')).toMatchObject([
      { attempt: 1, reservedMicros: microsFromCents(RESERVE_CENTS), model, priceDate: PRICE_DATE },
    ]);
    const provenance = adapter === 'openai-compatible' ? 'reported' : 'computed';
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([
      { attempt: 1, failure: null, charge: { micros: cost, provenance, usage: USED }, committedMicros: cost, overrunMicros: 0 },
    ]);
    const sent = { sentDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string, status: 200 };
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ calls: [sent, sent] }]);
    const total = cost + writer.providersMicros;
    expect(factsOf(events, 'JobCompleted')).toMatchObject([
      {
        synthesizer: expect.stringMatching(/^deterministic-\d+\+proposals-3\+prose-3\+/),
        chargedMicros: total,
        lostMicros: 0,
        overrunMicros: 0,
      },
    ]);
    expect(job.totalCustomerCostCents).toBe(centsFromMicros(total));
  });

  it('is mended once, within the same reservation', async () => {
    await start(adapter);
    // The first submit compares the reports, and uses the behaviour up once.
    writer.emulator.behave('prose flaw=not-json times=2');
    const { events, report } = await research();
    expect(report).toMatch(/^## Summary/);
    expect(writer.calls('submit')).toHaveLength(3);
    expect(JSON.stringify(writer.requests[2]?.body)).toContain('is not a JSON object');
    expect(factsOf(events, 'SynthesisClaimed')).toHaveLength(1);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ charge: { micros: writer.chargedMicros }, failure: null }]);
  });

  it('is given up after a second bad answer: the report is written without it, and both answers are paid', async () => {
    await start(adapter);
    writer.emulator.behave('prose flaw=not-json');
    const { job, events, report } = await research();
    expect(job.status).toBe('completed');
    expect(report).toMatch(/^\*Written without the model: what it wrote broke the rules twice.*JSON/);
    expect(report).toContain('## Answer');
    expect(writer.calls('submit')).toHaveLength(3);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ failure: 'unusable', committedMicros: writer.chargedMicros }]);
    expect(factsOf(events, 'JobCompleted')).toMatchObject([{ synthesizer: expect.stringMatching(/^deterministic-\d+\+proposals-3$/) }]);
    expect(job.totalCustomerCostCents).toBe(centsFromMicros(writer.chargedMicros + writer.providersMicros));
  });

  it.each([
    ['500', 'overloaded', /500/],
    ['401', 'auth', /401/],
    ['402', 'quota', /402/],
    ['404', 'model_gone', /404/],
    ['429 retry-after=60', 'rate_limited', /429/],
    ['refusal', 'content_filtered', /refused/],
    ['invalid-json', 'malformed', /./],
    ['reset-body', 'unavailable', /./],
  ])('gives way where the model answers with %s, and the report says so', async (behaviour, failure, reason) => {
    await start(adapter);
    writer.emulator.behave(behaviour);
    const { job, events, report } = await research();
    expect(job.status).toBe('completed');
    const [note = ''] = report.split('\n', 1);
    expect(note).toMatch(/^\*Written without the model: /);
    expect(note).toMatch(reason);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ failure }]);
    expect(writer.calls('submit')).toHaveLength(2);
  });

  it('loses nothing where the comparison of reports fails: they are compared without it, and the summary is written', async () => {
    await start(adapter);
    writer.emulator.behave('500 times=1');
    const { job, events, report } = await research();
    expect(job.status).toBe('completed');
    expect(report).toMatch(/^## Summary/);
    expect(report).not.toContain('that a model proposed');
    expect(report).toContain('## Disputed');
    expect(writer.calls('submit')).toHaveLength(2);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ failure: null, overrunMicros: 0 }]);
  });
});

describe('a report that a model is to write', () => {
  it('costs the customer no more than its reserve: the operator bears the rest', async () => {
    await start('anthropic');
    writer.emulator.behave('overcharge usd=3');
    const { job, events, report } = await research();
    // The comparison of the reports took all that was kept.
    expect(report).toMatch(/^\*Written without the model: The 0 micro-dollars that are left/);
    expect(writer.calls('submit')).toHaveLength(1);
    const reserve = microsFromCents(RESERVE_CENTS);
    const overrunMicros = writer.chargedMicros - reserve;
    expect(overrunMicros).toBeGreaterThan(0);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ committedMicros: reserve, overrunMicros }]);
    expect(factsOf(events, 'JobCompleted')).toMatchObject([{ chargedMicros: reserve + writer.providersMicros, overrunMicros }]);
    expect(job.totalCustomerCostCents).toBe(centsFromMicros(reserve + writer.providersMicros));
  });

  it('asks for no more than its reserve covers', async () => {
    await start('openai');
    await research();
    const [{ body } = { body: {} }] = writer.requests;
    const { max_output_tokens: most, tools, instructions, input } = body as Record<string, string | number | undefined>;
    expect(tools).toBeUndefined();
    const bytes = Buffer.byteLength(`${instructions}${input}`);
    const worst = (bytes * WRITERS.openai.input + Number(most) * WRITERS.openai.output) / 1_000_000;
    expect(worst).toBeLessThanOrEqual(microsFromCents(RESERVE_CENTS));
  });

  it('is written without it where its reserve is too small for any answer, and nothing is asked', async () => {
    await start('anthropic', { reserveCents: 1 });
    const { events, report } = await research();
    expect(report).toMatch(/^\*Written without the model: .*reserveCents/);
    expect(writer.calls('submit')).toEqual([]);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ failure: 'invalid_request', committedMicros: 0 }]);
  });

  it('is written without it when the model does not answer in time; what that cost is not charged', async () => {
    await start('gemini', {}, { SYNTHESIS_DEADLINE_MS: '6000' });
    writer.emulator.behave('hang');
    const { job, events, report } = await research();
    expect(report).toMatch(/^\*Written without the model: it did not answer in time\*/);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ failure: 'timeout', charge: null, committedMicros: 0 }]);
    expect(factsOf(events, 'JobCompleted')).toMatchObject([{ lostMicros: microsFromCents(RESERVE_CENTS) }]);
    expect(job.totalCustomerCostCents).toBe(centsFromMicros(writer.providersMicros));
  });

  it('stops within a heartbeat when the job is cancelled, and only its reservation is known of what it cost', async () => {
    await start('openai', {}, { HEARTBEAT_MS: '200' });
    writer.emulator.behave('hang');
    const { id, job } = await system.client.createThread({ message: 'How does Wren rotate its files?', budget: 'XL', providers: ASKED });
    await writer.reached('submit');
    const cancelled = await system.client.expect<JobView>(200, 'POST', `/v1/threads/${id}/jobs/${job.id}/cancel`);
    // The model's own time is over a minute.
    await writer.reached('disconnect');
    expect(cancelled.steps.map(({ status }) => status)).toEqual(ASKED.map(() => 'completed'));
    expect(cancelled.totalCustomerCostCents).toBe(centsFromMicros(writer.providersMicros));
    const events = await system.client.events(id, job.id);
    expect(factsOf(events, 'JobCancelled')).toMatchObject([{ lostMicros: microsFromCents(RESERVE_CENTS) }]);
    expect(writer.calls('submit')).toHaveLength(1);
  });

  it.each([
    ['number', '7341'],
    ['source', '[7]'],
    ['address', 'invented.example'],
    ['heading', '## Sources\n\nThe Wren'],
    ['no-claim', '()'],
    ['one-sided', '()'],
    ['unknown-claim', 'clm_99'],
    ['denied', 'not them'],
    ['unrelated', 'Nobody ever doubted'],
  ])('loses the sentence that has the flaw %s, and keeps the others', async (flaw, foreign) => {
    await start('openai-compatible');
    writer.emulator.behave(`prose flaw=${flaw}`);
    const { events, report, parts } = await research();
    expect(report).toMatch(/^## Summary/);
    expect(report).not.toContain(foreign);
    expect(parts.get('Summary')?.match(/\(clm_\d\d/g)?.length).toBeGreaterThan(1);
    expect(parts.get('Summary')).toContain('*1 sentence left out, since the claims do not say so.*');
    expect(writer.calls('submit')).toHaveLength(2);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ failure: null }]);
  });

  it.each(['altered', 'swapped', 'smoothed', 'invented-dispute', 'foreign-source'])(
    'is compared without what a model proposes wrongly (%s), and says so',
    async (flaw) => {
      await start('openai-compatible');
      writer.emulator.behave(`proposals proposing=${flaw}`);
      const { job, report, parts } = await research();
      expect(report).toMatch(
        /\*0 agreements and 0 disputes that a model proposed are borne out by the reports; \d+ other proposals? of it were refused\.\*/,
      );
      expect(parts.get('Disputed')).toMatch(/14 rotated files.*30 rotated files/);
      expect(job.status).toBe('completed');
    },
  );

  it('shows beside each other what a model says contradicts each other and no rule can confirm, and disputes it nowhere', async () => {
    await start('openai-compatible');
    writer.emulator.behave('proposals proposing=unconfirmed');
    const { job, report, parts } = await research();
    expect(report).toMatch(/^ +- Compare(?: with [^\n:,]* above)?, a model sees a contradiction: /m);
    expect(report).toContain('1 other proposal of it could not be confirmed: what a model sees below is only its word.');
    expect(parts.get('Disputed')).toMatch(/14 rotated files.*30 rotated files/);
    expect(parts.get('Disputed')?.match(/^\| “/gm)).toHaveLength(1);
    expect(job.status).toBe('completed');
  });

  it('is compared without a model that proposes nothing that can be read', async () => {
    await start('openai-compatible');
    writer.emulator.behave('proposals proposing=not-json');
    const { report, parts } = await research();
    expect(report).toMatch(/^## Summary/);
    expect(report).not.toContain('that a model proposed');
    expect(parts.get('Disputed')).toMatch(/14 rotated files.*30 rotated files/);
  });

  it('is not steered by instructions in the reports of providers', async () => {
    await start('openai');
    writer.providers.the('provider-a').behave('injection');
    writer.emulator.behave('prose flaw=obeys');
    const { report, parts } = await research();
    const [compared, first, second] = writer.requests.map(({ body }) => (body as { input: string }).input);
    expect(first).toMatch(/ignore its rules/);
    expect(first?.match(/<\/?claims>/g)).toEqual(['<claims>', '</claims>']);
    expect(compared?.match(/<\/?reports>/g)).toEqual(['<reports>', '</reports>']);
    expect(second).toBeUndefined();
    // The sentence stands in the report as that provider's words alone, and leads nowhere.
    expect(parts.get('Summary')).not.toContain('endorsed');
    expect(report).not.toMatch(/\]\(<?https:\/\/evil/);
    expect([...parts.keys()].filter((heading) => heading.startsWith('Sources'))).toHaveLength(1);
  });

  it('takes its reserve out of the cap first: a budget that it leaves nothing of is refused', async () => {
    await start('openai', { reserveCents: 100 });
    const request = { message: 'How?', budget: 'XXS', providers: ['provider-a'] };
    const refused = await system.client.expect<{ detail: string }>(422, 'POST', '/v1/threads', request);
    expect(refused.detail).toMatch(/the smallest budget that would do is XS/);
  });

  it('gives nothing back to the customer that it did not cost, and leaves jobs without it as they are', async () => {
    await start('openai-compatible', {
      model: 'local',
      prices: { inputMicrosPerMillionTokens: 0, cachedInputMicrosPerMillionTokens: 0, outputMicrosPerMillionTokens: 0 },
    });
    const { job, events, report } = await research();
    expect(report).toMatch(/^## Summary/);
    expect(factsOf(events, 'SynthesisSettled')).toMatchObject([{ charge: { micros: 0 }, committedMicros: 0, overrunMicros: 0 }]);
    expect(job.totalCustomerCostCents).toBe(centsFromMicros(writer.providersMicros));
  });
});
