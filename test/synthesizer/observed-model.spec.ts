import { promptDigest, exchangeHeaders, noteAnswer } from '@lib/providers/exchange';
import type { LanguageModel, Written } from '@lib/providers/language-model/language-model';
import { ProviderError } from '@lib/providers/research-provider';
import type { ToldCall } from '@lib/domain/job/commands';
import { observedModel } from '../../src/synthesizer/observed-model';
import { Tracing, type FinishedSpan } from '../../src/telemetry/tracing';

const PROMPT = { instructions: 'Write.', input: 'What?' };
const WRITTEN: Written = { text: 'So.', isCutOff: false, charge: { micros: 70, provenance: 'reported' } };
const PARENT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };

/** Asks a model that does this, and tells what came of it beside the answer. */
async function ask(write: LanguageModel['write'], parent: typeof PARENT | null = PARENT) {
  const calls: ToldCall[] = [];
  const spans: FinishedSpan[] = [];
  const tracing = new Tracing((span) => void spans.push(span), { ratio: 1, followsCaller: true });
  const model = observedModel({ write }, 'compare', { calls, jobId: 'job_1', tracing, parent });
  const [answer] = await Promise.allSettled([model.write(PROMPT, 100, new AbortController().signal)]);
  return { answer, calls, spans };
}

const noted = { 'research.job_id': 'job_1', 'research.purpose': 'compare' };
const sentSha256 = promptDigest('Write.\n\nWhat?');

describe('a call of a model', () => {
  it('is a span below the job’s, which says how it was answered, what it cost, and which trace the provider was told', async () => {
    let told: string | undefined;
    const { answer, calls, spans } = await ask(async () => {
      told = exchangeHeaders().traceparent;
      noteAnswer(200, { 'x-request-id': 'req-1' });
      return WRITTEN;
    });
    expect(answer).toEqual({ status: 'fulfilled', value: WRITTEN });
    expect(calls).toEqual([{ sentSha256, status: 200, requestId: 'req-1' }]);
    expect(spans).toMatchObject([{ name: 'call model', kind: 'client', parentSpanId: PARENT.spanId, failed: false }]);
    expect(spans[0]?.attributes).toEqual({
      ...noted,
      ...{ 'http.response.status_code': 200, 'research.outcome': 'completed', 'research.charged_micros': 70 },
    });
    const [link] = spans[0]?.links ?? [];
    expect(told).toBe(`00-${link?.traceId ?? ''}-${link?.spanId ?? ''}-01`);
    expect(link?.traceId).not.toBe(PARENT.traceId);
  });

  it('that the provider refuses is noted and thrown, and its span says why', async () => {
    const refused = new ProviderError('overloaded', 'Too busy.', {});
    const { answer, calls, spans } = await ask(() => Promise.reject(refused));
    expect(answer).toEqual({ status: 'rejected', reason: refused });
    expect(calls).toEqual([{ sentSha256, status: null, requestId: null }]);
    expect(spans).toMatchObject([{ failed: true }]);
    expect(spans[0]?.attributes).toEqual({ ...noted, 'research.outcome': 'failed', 'research.failure': 'overloaded' });
  });

  it('that breaks in a way that nobody foresaw is noted and thrown as it is', async () => {
    const broken = new TypeError('no such field');
    const { answer, calls, spans } = await ask(() => Promise.reject(broken));
    expect(answer).toEqual({ status: 'rejected', reason: broken });
    expect(calls).toHaveLength(1);
    expect(spans).toMatchObject([{ failed: true, attributes: noted }]);
  });

  it('without a trace of its job tells the provider none, and is noted all the same', async () => {
    let told: string | undefined = 'nobody asked';
    const { calls, spans } = await ask(async () => {
      told = exchangeHeaders().traceparent;
      return WRITTEN;
    }, null);
    expect([told, calls.length, spans]).toEqual([undefined, 1, []]);
  });
});
