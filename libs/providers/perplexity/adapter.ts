import { BackgroundResponses, responsePath } from '../background-responses';
import { ProviderError, type RawResponse, type ResearchReport, type ResearchRequest } from '../research-provider';
import type { PerplexityOptions } from './options';
import { parseResponse } from './parse';
import { createResponse } from './request';

/** Perplexity's Agent API, whose runs report their cost. */
export class PerplexityProvider extends BackgroundResponses<PerplexityOptions> {
  protected override body(request: ResearchRequest): object {
    return createResponse(request, this.options);
  }

  /** Listing models needs no key, so this asks for a run that does not exist: a 404 proves that the key works. */
  override async check(_model: string | null, signal: AbortSignal): Promise<Date | null> {
    try {
      return await this.http.probe(responsePath('resp_none'), signal);
    } catch (error) {
      if (error instanceof ProviderError && ['lost', 'invalid_request'].includes(error.errorClass)) return null;
      throw error;
    }
  }

  override parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseResponse(raw, this.options.prices, request.limits.reservedMicros);
  }
}
