import type { ProviderHttp } from '../http';
import type { RawResponse, ResearchReport, ResearchRequest, RunState } from '../research-provider';
import { SingleCall } from '../single-call';
import { openAiCompatibleHttp } from './http';
import type { OpenAiCompatibleOptions } from './options';
import { parseChatCompletion } from './parse';
import { createChatCompletion } from './request';

/**
 * Any server with chat completions: Ollama, vLLM, LM Studio, OpenRouter. One synchronous call without a run id. Not streamed, because
 * streams of these servers often lack usage. Plain HTTP, because no SDK fits them all.
 */
export class OpenAiCompatibleProvider extends SingleCall {
  private readonly http: ProviderHttp;

  /** @param key null for a server that needs none */
  constructor(
    private readonly options: OpenAiCompatibleOptions,
    key: string | null,
  ) {
    super();
    this.http = openAiCompatibleHttp(options.baseUrl, key);
  }

  override async submit(request: ResearchRequest): Promise<RunState> {
    const body = createChatCompletion(request, this.options);
    return { state: 'finished', raw: await this.http.post('/chat/completions', body, request.signal) };
  }

  /** Lists all models, since not every such server describes a single one. */
  override async check(_model: string | null, signal: AbortSignal): Promise<Date | null> {
    return this.http.probe('/models', signal);
  }

  override parse(raw: RawResponse, request: ResearchRequest): ResearchReport {
    return parseChatCompletion(raw, this.options, request.limits.reservedMicros);
  }
}
