import { READERS } from '@lib/messaging/read-requests';
import type { Commit } from '@lib/store/commit/commit';
import { newId } from '@lib/store/new-id';
import type { Attempted } from '@lib/store/webhooks/deliveries';
import { traceCommit } from '../../src/telemetry/commit-spans';
import { traceDeliveries } from '../../src/telemetry/delivery-spans';
import { Tracing, type FinishedSpan } from '../../src/telemetry/tracing';
import { eventually } from '../messaging/eventually';
import { EmulatedWriter } from '../synthesizer/system/emulated-writer';
import { startSystem, type System } from '../system/support/system';
import { answers, Sink } from '../webhooks/support/sink';
import { Collector, type ExportedSpan } from './collector';

jest.setTimeout(60_000);

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

describe('in one process', () => {
  let system: System;
  let collector: Collector;

  beforeAll(async () => {
    collector = await Collector.start();
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'parentbased_always_off' };
    system = await startSystem({ environment });
  });
  afterAll(async () => {
    await system?.stop();
    await collector?.close();
  });

  it('exports the traces that callers want and no other, whole from the request to the summary', async () => {
    const { client } = system;
    await client.research({ message: 'unwanted', providers: ['provider-a'] });
    const response = await fetch(`${client.address}/v1/threads`, {
      method: 'POST',
      headers: { ...client.headers(), 'content-type': 'application/json', traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
      body: JSON.stringify({ message: 'wanted', providers: ['provider-a'] }),
    });
    const { id, job } = (await response.json()) as { id: string; job: { id: string } };
    await client.finalJob(id, job.id);
    const names = () => collector.spans.map(({ name }) => name).sort();
    await eventually(true, async () => names().includes('process work.synthesis'), 20_000);
    expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(names())).toEqual(
      new Set([
        'POST /v1/threads',
        'claim',
        'commit',
        'process work.step',
        'process work.synthesis',
        'report',
        'research',
        'send work.step',
        'synthesize',
      ]),
    );
    const spanIds = new Set(collector.spans.map(({ spanId }) => spanId));
    for (const { name, parentSpanId } of collector.spans) expect(name === 'POST /v1/threads' || spanIds.has(parentSpanId)).toBe(true);
    const events = collector.spans.map(({ attributes }) => attributes['research.events']).filter(Boolean);
    expect(events.sort()).toEqual([
      'JobCompleted',
      'StepCompleted,SynthesisStarted',
      'StepStarted',
      'ThreadCreated,MessageAdded,JobAdded,JobRequested',
    ]);
  });
});

it('a trace that its caller does not want is exported by nobody, whoever continues it', async () => {
  const [collector, sink] = await Promise.all([Collector.start(), Sink.start(answers(204))]);
  const system = await startSystem({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, WEBHOOK_LOOPBACK: 'allowed' } });
  const { client } = system;
  await client.expect(201, 'POST', '/v1/webhooks', { url: sink.url, eventTypes: ['job.completed'] });
  const ask = async (message: string, flags: string) => {
    const response = await fetch(`${client.address}/v1/threads`, {
      method: 'POST',
      headers: { ...client.headers(), 'content-type': 'application/json', traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-${flags}` },
      body: JSON.stringify({ message, providers: ['provider-a'] }),
    });
    const { id, job } = (await response.json()) as { id: string; job: { id: string } };
    await client.finalJob(id, job.id);
  };
  await ask('unwanted', '00');
  await ask('wanted', '01');
  await sink.has(2);
  // Stopping exports what is left.
  await system.stop();
  await Promise.all([collector.close(), sink.close()]);
  const { spans } = collector;
  expect(spans.filter(({ name }) => name === 'POST /v1/threads' || name === 'deliver webhook')).toHaveLength(2);
  const requests = new Set(spans.filter(({ name }) => /^(GET|POST) /.test(name)).map(({ traceId }) => traceId));
  expect(spans.filter(({ traceId }) => !requests.has(traceId))).toEqual([]);
});

describe('with a model that writes the report, and a webhook', () => {
  let system: System;
  let collector: Collector;
  let writer: EmulatedWriter;
  let sink: Sink;

  beforeAll(async () => {
    [collector, writer, sink] = await Promise.all([Collector.start(), EmulatedWriter.start('anthropic'), Sink.start(answers(503))]);
    const environment = { ...writer.providers.environment, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, WEBHOOK_LOOPBACK: 'allowed' };
    system = await startSystem({ providers: null, environment: { ...environment, SWEEP_MS: '20', SYNTHESIS_DEADLINE_MS: '30000' } });
  });
  afterAll(async () => {
    await system?.stop();
    await Promise.all([collector?.close(), writer?.stop(), sink?.close()]);
  });

  const only = (name: string, attributes: Record<string, unknown> = {}): ExportedSpan => {
    const found = collector.spans.filter(
      (span) => span.name === name && Object.entries(attributes).every(([key, value]) => span.attributes[key] === value),
    );
    expect({ name, found: found.length }).toEqual({ name, found: 1 });
    return found[0] as ExportedSpan;
  };
  const asLink = ({ traceId, spanId }: ExportedSpan) => ({ traceId, spanId });

  it('shows what the summary took, each call of its model, and each attempt to deliver, in the trace of the question', async () => {
    const { client } = system;
    const question = 'How does Wren rotate its files?';
    const webhook = { url: `${sink.url}/canary-of-a-path`, eventTypes: ['job.completed'] };
    const { secret } = await client.expect<{ secret: string }>(201, 'POST', '/v1/webhooks', webhook);
    const { id, job } = await client.createThread({
      message: question,
      budget: 'XL',
      providers: ['provider-a', 'provider-c', 'provider-d'],
    });
    const final = await client.finalJob(id, job.id);
    await sink.has(1);
    sink.behaviour = answers(204);
    await system.query(`update webhook_delivery set due_at = clock_timestamp() where due_at is not null`);
    const delivered = () => collector.spans.some(({ attributes }) => attributes['research.outcome'] === 'delivered');
    await eventually(true, async () => delivered(), 30_000);

    const request = only('POST /v1/threads');
    const summary = only('process work.synthesis');
    const purposes = ['compare', 'summarize'].map((purpose) => only('call model', { 'research.purpose': purpose }));
    for (const span of [...purposes, only('synthesize')])
      expect(span).toMatchObject({ traceId: request.traceId, parentSpanId: summary.spanId });
    for (const { attributes, links } of purposes) {
      expect(attributes).toMatchObject({ 'research.outcome': 'completed', 'research.job_id': job.id, 'http.response.status_code': 200 });
      expect(Number(attributes['research.charged_micros'])).toBeGreaterThan(0);
      expect(links).toHaveLength(1);
    }
    expect(only('commit', { 'research.events': 'SynthesisClaimed' }).parentSpanId).toBe(summary.spanId);

    const committed = collector.spans.find(({ attributes }) => String(attributes['research.events']).endsWith('JobCompleted'));
    const [refused, taken] = ['status', 'delivered'].map((outcome) => only('deliver webhook', { 'research.outcome': outcome }));
    for (const span of [refused, taken])
      expect(span).toMatchObject({
        traceId: request.traceId,
        parentSpanId: request.spanId,
        links: [asLink(committed as ExportedSpan), {}],
      });
    expect(refused).toMatchObject({ status: 2, attributes: { 'http.response.status_code': 503, 'research.deliveries': 1 } });
    expect(taken).toMatchObject({ status: 0, attributes: { 'http.response.status_code': 204, 'research.deliveries': 2 } });
    // Whoever is called is told a trace of its own.
    const told = sink.received.map(({ headers }) => String(headers.traceparent).split('-')[1]);
    expect(told).toEqual([refused, taken].map((span) => span?.links[1]?.traceId));
    expect(told).not.toContain(request.traceId);

    const exported = collector.bodies.join('\n');
    const sentences = (final.synthesisMarkdown ?? '').split('\n').filter((line) => line.length > 30);
    expect(sentences.length).toBeGreaterThan(3);
    for (const text of [question, secret, 'canary-of-a-path', ...sentences]) expect(exported).not.toContain(text);
  });
});

describe('what webhooks are told of', () => {
  const traced = () => {
    const written: FinishedSpan[] = [];
    return { written, tracing: new Tracing((span) => void written.push(span), { ratio: 1, followsCaller: true }) };
  };
  const delivery = (eventId: string) => ({ eventId, webhookId: 'whk_1', jobId: null, threadId: 'thr_1', attempts: 1 });
  const delivered = { responseStatus: 204, error: null } as Attempted;

  it('is linked to the commit of each of its events, however many one commit has', async () => {
    const { written, tracing } = traced();
    const traceId = 'b'.repeat(32);
    const ends = ['evt_1', 'evt_2', 'evt_3'].map((id, place) => ({
      record: { id, streamId: `job_${place}`, type: 'JobCancelled', facts: { traceId } },
      trace: null,
    }));
    traceCommit(tracing, { appended: ends, units: 1, tookMs: 1 } as unknown as Commit);
    const commits = written.splice(0).map(({ context }) => context.spanId);
    const trace = traceDeliveries(tracing, async (ids) => new Map(ids.map((id) => [id, traceId])));
    for (const { record } of ends) await trace(delivery(record.id), async () => delivered);
    expect(written.map(({ links }) => links[0]?.spanId).toSorted()).toEqual(commits.toSorted());
  });

  it('is delivered without a trace where none is found in time', async () => {
    const trace = traceDeliveries(traced().tracing, () => new Promise(() => undefined));
    expect(await trace(delivery('evt_1'), async (traceparent) => ({ ...delivered, responseStatus: traceparent ? 1 : 2 }))).toMatchObject({
      responseStatus: 2,
    });
  });
});

describe('what a worker says of where it stands', () => {
  const request = { jobId: newId('job'), stepId: newId('stp'), attempt: 1 };
  const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

  it.each([7, null, {}, '', '00-zz', `${traceparent}x`, 'x'.repeat(200)])('is ignored where it is no traceparent: %j', (given) => {
    expect(READERS.heartbeat({ ...request, traceparent: given })).not.toHaveProperty('traceparent');
    expect(READERS.heartbeat({ ...request, traceparent })).toMatchObject({ traceparent });
  });

  it('counts within the trace of the job alone', () => {
    const written: FinishedSpan[] = [];
    const tracing = new Tracing((span) => void written.push(span), { ratio: 1, followsCaller: true });
    const ofJob = 'a'.repeat(32);
    const commit = (trace: Commit['appended'][number]['trace']) =>
      ({
        appended: [{ record: { streamId: request.jobId, type: 'StepStarted', facts: { traceId: ofJob } }, trace }],
        units: 1,
        tookMs: 1,
      }) as unknown as Commit;
    traceCommit(tracing, commit({ traceId: ofJob, spanId: CALLER.spanId, sampled: true }));
    traceCommit(tracing, commit({ ...CALLER, sampled: true }));
    expect(written.map(({ context, parentSpanId }) => [context.traceId, parentSpanId])).toEqual([
      [ofJob, CALLER.spanId],
      [ofJob, 'a'.repeat(16)],
    ]);
  });
});
