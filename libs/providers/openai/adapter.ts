import { BackgroundResponses } from '../background-responses';
import type { RawResponse, ResearchReport, ResearchRequest } from '../research-provider';
import type { OpenAiOptions } from './options';
import { parseResponse } from './parse';
import { createResponse } from './request';

/** OpenAI's Responses API with web search. */
export class OpenAiProvider extends BackgroundResponses<OpenAiOptions> {
  protected override body(request: ResearchRequest): object {
    return createResponse(request, this.options);
  }

  override async check(model: string | null, signal: AbortSignal): Promise<Date | null> {
    return this.http.probeModel(model, signal);
  }

  override parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseResponse(raw, this.options.prices, request.limits.reservedMicros);
  }
}
