import type { ProviderHttp } from '../http';
import { textIn } from '../json';
import { outputTokensWithin, tokenCharge } from '../language-model/cost';
import type { ConfiguredModel, LanguageModel, WritingPrompt, Written } from '../language-model/language-model';
import { endedRun } from '../ended-run';
import { anthropicHttp } from './http';
import { readMessage } from './stream';
import { usageOf } from './usage';

/** Claude's Messages API without tools, streamed so that a dead connection is noticed. */
export class AnthropicModel implements LanguageModel {
  private readonly http: ProviderHttp;

  constructor(
    private readonly options: ConfiguredModel,
    key: string,
  ) {
    this.http = anthropicHttp(options.baseUrl, key);
  }

  async write(prompt: WritingPrompt, reservedMicros: number, signal: AbortSignal): Promise<Written> {
    const body = {
      model: this.options.model,
      max_tokens: outputTokensWithin(reservedMicros, prompt, this.options),
      stream: true,
      system: prompt.instructions,
      messages: [{ role: 'user', content: prompt.input }],
    };
    const message = await readMessage(this.http.stream('/messages', body, signal));
    const charge = tokenCharge(usageOf([message]), this.options, reservedMicros);
    if (message.stop_reason === 'refusal') throw endedRun('content_filtered', 'The model refused to answer', charge);
    const text = message.content.flatMap((block) => (block.type === 'text' ? (textIn(block.text) ?? []) : [])).join('');
    return { text, isCutOff: message.stop_reason !== 'end_turn', charge };
  }
}
