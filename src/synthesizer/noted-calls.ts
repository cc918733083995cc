import type { ToldCall } from '@lib/domain/job/commands';
import { observing, promptDigest, type Exchange } from '@lib/providers/exchange';
import type { LanguageModel } from '@lib/providers/language-model/language-model';

/** A model whose calls are noted in `calls`, whatever comes of them. */
export const notingCalls = (model: LanguageModel, calls: ToldCall[]): LanguageModel => ({
  write: async (prompt, reservedMicros, signal) => {
    const exchange: Exchange = { status: null, requestId: null };
    try {
      return await observing(exchange, () => model.write(prompt, reservedMicros, signal));
    } finally {
      calls.push({ sentSha256: promptDigest(`${prompt.instructions}\n\n${prompt.input}`), ...exchange });
    }
  },
});
