import type { ToldCall } from '@lib/domain/job/commands';
import { traceparentOf } from '@lib/domain/trace-context';
import { observing, promptDigest, type Exchange } from '@lib/providers/exchange';
import type { LanguageModel, Written } from '@lib/providers/language-model/language-model';
import { ProviderError } from '@lib/providers/research-provider';
import { foreignContext, inSpan, type Traced } from '../telemetry/tracing';

interface Observers extends Traced {
  /** Receives a record of each call, whether it succeeds or not. */
  calls: ToldCall[];
  jobId: string;
}

/**
 * The same model with its calls recorded, each in a span that names its `purpose`. The provider gets a separate trace, which the span links to.
 */
export const observedModel = (
  model: LanguageModel,
  purpose: 'compare' | 'summarize',
  { calls, jobId, ...traced }: Observers,
): LanguageModel => ({
  async write(prompt, reservedMicros, signal) {
    const called = traced.tracing && traced.parent ? foreignContext(traced.parent.sampled) : undefined;
    const exchange: Exchange = { status: null, requestId: null, traceparent: called && traceparentOf(called) };
    const attributes = { 'research.job_id': jobId, 'research.purpose': purpose };
    const answered = (written: Written | ProviderError) => ({
      failed: written instanceof ProviderError,
      attributes: { 'http.response.status_code': exchange.status ?? undefined, ...outcomeOf(written) },
    });
    const call = () =>
      observing(exchange, () => model.write(prompt, reservedMicros, signal)).catch((error: unknown) => {
        if (error instanceof ProviderError) return error;
        throw error;
      });
    try {
      const written = await inSpan({ ...traced, name: 'call model', kind: 'client', links: [called], attributes, outcome: answered }, call);
      if (written instanceof ProviderError) throw written;
      return written;
    } finally {
      const { status, requestId } = exchange;
      calls.push({ sentSha256: promptDigest(`${prompt.instructions}\n\n${prompt.input}`), status, requestId });
    }
  },
});

const outcomeOf = (written: Written | ProviderError) =>
  written instanceof ProviderError
    ? { 'research.outcome': 'failed', 'research.failure': written.errorClass }
    : { 'research.outcome': 'completed', 'research.charged_micros': written.charge.micros };
