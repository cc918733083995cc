import { createHttp, type ProviderHttp } from '../http';
import type { RawResponse, ResearchReport, ResearchRequest, RunState } from '../research-provider';
import { SingleCall } from '../single-call';
import type { OpenAiCompatibleOptions } from './options';
import { parseChatCompletion } from './parse';
import { createChatCompletion } from './request';

/** A local model may think for many minutes before its answer arrives in one piece; the request's deadline limits the wait. */
const LONGEST_ANSWER_MS = 60 * 60_000;

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
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const timeouts = { connectTimeoutMs: 10_000, headersTimeoutMs: LONGEST_ANSWER_MS, bodyTimeoutMs: 60_000 };
    this.http = createHttp({ baseUrl: options.baseUrl, headers, ...timeouts });
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
