import { createHttp, type ProviderHttp } from '../http';
import { countIn, objectIn, parseObject } from '../json';
import { outputTokensWithin, tokenCharge } from '../language-model/cost';
import type { ConfiguredModel, LanguageModel, WritingPrompt, Written } from '../language-model/language-model';
import { answerOf } from '../responses-api';
import type { Response, ResponseUsage } from './wire';

/** The answer arrives in one piece; the caller's signal limits the wait. */
const MAX_ANSWER_MS = 30 * 60_000;
/** The API refuses to answer in JSON unless the word is in the input; that it is in the instructions does not count. */
const IN_JSON = 'Answer with one JSON object.';

/** OpenAI's Responses API without tools: one synchronous call that is not stored. */
export class OpenAiModel implements LanguageModel {
  private readonly http: ProviderHttp;

  constructor(
    private readonly options: ConfiguredModel,
    key: string,
  ) {
    const headers = { authorization: `Bearer ${key}` };
    this.http = createHttp({ baseUrl: options.baseUrl, headers, headersTimeoutMs: MAX_ANSWER_MS });
  }

  async write({ instructions, input }: WritingPrompt, reservedMicros: number, signal: AbortSignal): Promise<Written> {
    const prompt = { instructions, input: `${input}\n\n${IN_JSON}` };
    const body = {
      model: this.options.model,
      ...prompt,
      store: false,
      max_output_tokens: outputTokensWithin(reservedMicros, prompt, this.options),
      text: { format: { type: 'json_object' } },
    };
    const response: Response = parseObject(await this.http.post('/responses', body, signal));
    const { input_tokens, input_tokens_details, output_tokens }: ResponseUsage = objectIn(response.usage);
    const usage = {
      inputTokens: countIn(input_tokens),
      cachedInputTokens: countIn(objectIn(input_tokens_details).cached_tokens),
      outputTokens: countIn(output_tokens),
    };
    const charge = tokenCharge(usage, this.options, reservedMicros);
    const { text, earlyEnd } = answerOf(response, charge);
    return { text, isCutOff: earlyEnd !== null, charge };
  }
}
