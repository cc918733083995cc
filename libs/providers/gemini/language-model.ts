import { generateContentHttp } from '../gemini-grounded/http';
import { answerOf } from '../gemini-grounded/parse';
import type { GenerateContent } from '../gemini-grounded/wire';
import { pathSegment, type ProviderHttp } from '../http';
import { outputTokensWithin } from '../language-model/cost';
import type { ConfiguredModel, LanguageModel, WritingPrompt, Written } from '../language-model/language-model';

/** Gemini's `generateContent` without tools: one synchronous call. */
export class GeminiModel implements LanguageModel {
  private readonly http: ProviderHttp;

  constructor(
    private readonly options: ConfiguredModel,
    key: string,
  ) {
    this.http = generateContentHttp(options.baseUrl, key);
  }

  async write(prompt: WritingPrompt, reservedMicros: number, signal: AbortSignal): Promise<Written> {
    const { model, prices } = this.options;
    const body: GenerateContent = {
      systemInstruction: { parts: [{ text: prompt.instructions }] },
      contents: [{ role: 'user', parts: [{ text: prompt.input }] }],
      generationConfig: {
        maxOutputTokens: outputTokensWithin(reservedMicros, prompt, this.options),
        responseMimeType: 'application/json',
      },
    };
    const raw = await this.http.post(`/models/${pathSegment(model)}:generateContent`, body, signal);
    const { text, earlyEnd, charge } = answerOf(raw, { ...prices, perSearchMicros: 0 }, reservedMicros);
    return { text, isCutOff: earlyEnd !== null, charge };
  }
}
