import { configuredModel } from '../configured-model';
import { pathSegment, type ProviderHttp } from '../http';
import type { RawResponse, ResearchReport, ResearchRequest, RunState } from '../research-provider';
import { SingleCall } from '../single-call';
import { generateContentHttp } from './http';
import type { GeminiGroundedOptions } from './options';
import { parseGrounded } from './parse';
import { generateContent } from './request';

/**
 * A Gemini model that searches Google while it answers. One synchronous call without a run id: an interrupted call is lost. Plain HTTP,
 * because Google's SDK retries calls by itself, and each is paid for.
 */
export class GeminiGroundedProvider extends SingleCall {
  private readonly http: ProviderHttp;

  constructor(
    private readonly options: GeminiGroundedOptions,
    key: string,
  ) {
    super();
    this.http = generateContentHttp(options.baseUrl, key);
  }

  override async submit(request: ResearchRequest): Promise<RunState> {
    const path = `/models/${pathSegment(configuredModel(request))}:generateContent`;
    return { state: 'finished', raw: await this.http.post(path, generateContent(request, this.options), request.signal) };
  }

  override async check(model: string | null, signal: AbortSignal): Promise<Date | null> {
    return this.http.probeModel(model, signal);
  }

  override parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseGrounded(raw, this.options.prices, request.limits.reservedMicros);
  }
}
