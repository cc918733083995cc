import { READERS } from '@lib/messaging/read-requests';
import type { Commit } from '@lib/store/commit/commit-batch';
import { newId } from '@lib/store/new-id';
import { traceCommit } from '../../src/telemetry/commit-spans';
import { Tracing, type FinishedSpan } from '../../src/telemetry/tracing';
import { eventually } from '../messaging/eventually';
import { startSystem, type System } from '../system/support/system';
import { Collector } from './collector';

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
