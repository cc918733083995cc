import fc from '../support/properties';
import { randomUUID } from 'node:crypto';
import { readTraceparent, traceparentOf } from '@lib/domain/trace-context';
import { SpanQueue, type SpanOutcome } from '../../src/telemetry/span-queue';
import { Tracing, type FinishedSpan } from '../../src/telemetry/tracing';

const newTraceId = (): string => randomUUID().replaceAll('-', '');
const tracingOf = (ratio: number, followsCaller = true) => {
  const written: FinishedSpan[] = [];
  return { written, tracing: new Tracing((span) => void written.push(span), { ratio, followsCaller }) };
};

describe('a traceparent', () => {
  it.each([
    undefined,
    null,
    7,
    {},
    ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    '',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331',
    '00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01',
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
    '01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-x',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\n',
    `00-${'a'.repeat(200)}`,
  ])('that is none is ignored: %j', (given) => expect(readTraceparent(given)).toBeNull());

  it('is read as it was written, and nothing else of any text is', () => {
    const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => !/^0+$/.test(text));
    fc.assert(
      fc.property(fc.record({ traceId: hex(32), spanId: hex(16), sampled: fc.boolean() }), (context) => {
        expect(readTraceparent(traceparentOf(context))).toEqual(context);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => readTraceparent(text) === null));
  });
});

describe('sampling', () => {
  it('takes a share of the traces, the same ones in every process and at any time', () => {
    const [one, other] = [tracingOf(0.25).tracing, tracingOf(0.25).tracing];
    const traceIds = Array.from({ length: 4_000 }, newTraceId);
    const taken = traceIds.filter((traceId) => one.requestOf(traceId).sampled);
    expect(taken.filter((traceId) => !other.requestOf(traceId).sampled)).toEqual([]);
    expect(taken.length / traceIds.length).toBeGreaterThan(0.2);
    expect(taken.length / traceIds.length).toBeLessThan(0.3);
    for (const [ratio, sampled] of [[0, false] as const, [1, true] as const])
      expect(new Set(traceIds.map((traceId) => tracingOf(ratio).tracing.requestOf(traceId).sampled))).toEqual(new Set([sampled]));
  });

  it('follows the caller where it sends a trace of its own, unless that is switched off', () => {
    const caller = { traceId: newTraceId(), spanId: 'b7ad6b7169203331', sampled: true };
    const begun = (ratio: number, followsCaller: boolean, sampled: boolean) =>
      tracingOf(ratio, followsCaller).tracing.beginRequest(randomUUID(), { ...caller, sampled }).sampled;
    expect([begun(0, true, true), begun(1, true, false), begun(0, false, true), begun(1, false, false)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it.each([true, false])('is decided once for all processes where the caller decides: %s', (sampled) => {
    const caller = { traceId: newTraceId(), spanId: 'b7ad6b7169203331', sampled };
    for (const ratio of [0, 0.5, 1]) {
      const [api, worker] = [tracingOf(ratio).tracing, tracingOf(ratio).tracing];
      const request = api.beginRequest(randomUUID(), caller);
      expect(worker.requestOf(request.traceId)).toEqual({ ...request, sampled });
    }
  });

  it('writes nothing of what is not taken, and passes on that it is not', () => {
    const { tracing, written } = tracingOf(0);
    const span = tracing.begin('commit', tracing.requestOf(newTraceId()), { kind: 'internal' });
    span.end();
    expect(span.context.sampled).toBe(false);
    expect(written).toEqual([]);
  });
});

describe('spans that wait', () => {
  const span = { name: 'span' } as FinishedSpan;
  const queueOf = (send: (spans: FinishedSpan[]) => Promise<boolean>) => {
    const counted: Record<SpanOutcome, number> = { exported: 0, dropped: 0, failed: 0 };
    return { counted, queue: new SpanQueue(send, (outcome, spans) => void (counted[outcome] += spans)) };
  };

  it('are dropped and counted where a collector takes none, and never grow beyond their bound', async () => {
    const hanging = Promise.withResolvers<boolean>();
    const { queue, counted } = queueOf(() => hanging.promise);
    for (let added = 0; added < 10_000; added += 1) queue.add(span);
    expect(counted).toEqual({ exported: 0, failed: 0, dropped: 10_000 - 2_048 - 512 });
    hanging.resolve(true);
    await queue.close();
    expect(counted).toEqual({ exported: 2_048 + 512, failed: 0, dropped: 10_000 - 2_048 - 512 });
  });

  it('are counted as failed where a collector refuses them, and the next ones go on', async () => {
    const answers = [false, true];
    const { queue, counted } = queueOf(async () => answers.shift() ?? true);
    for (let added = 0; added < 600; added += 1) queue.add(span);
    await queue.close();
    expect(counted).toEqual({ exported: 88, failed: 512, dropped: 0 });
  });
});
