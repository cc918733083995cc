import type { ProviderHttp } from '../http';
import { outputTokensWithin } from '../language-model/cost';
import type { ConfiguredModel, LanguageModel, WritingPrompt, Written } from '../language-model/language-model';
import { openAiCompatibleHttp } from './http';
import { answerOf } from './parse';
import type { CreateChatCompletion } from './wire';

/** Chat completions of any server: one synchronous call. Servers disagree on how to request JSON, so only the prompt asks for it. */
export class OpenAiCompatibleModel implements LanguageModel {
  private readonly http: ProviderHttp;

  /** @param key null for a server that needs none */
  constructor(
    private readonly options: ConfiguredModel,
    key: string | null,
  ) {
    this.http = openAiCompatibleHttp(options.baseUrl, key);
  }

  async write(prompt: WritingPrompt, reservedMicros: number, signal: AbortSignal): Promise<Written> {
    const { model, prices } = this.options;
    const body: CreateChatCompletion = {
      model,
      messages: [
        { role: 'system', content: prompt.instructions },
        { role: 'user', content: prompt.input },
      ],
      max_tokens: outputTokensWithin(reservedMicros, prompt, this.options),
      stream: false,
    };
    const raw = await this.http.post('/chat/completions', body, signal);
    const pricing = { prices: { ...prices, perSearchMicros: 0 }, webSearchResults: 0 };
    const { text, reasoning, earlyEnd, charge } = answerOf(raw, pricing, reservedMicros);
    return { text: text.slice(reasoning), isCutOff: earlyEnd !== null, charge };
  }
}
