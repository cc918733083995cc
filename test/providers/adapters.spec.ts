import { OpenAiCompatibleProvider } from '@lib/providers/openai-compatible/adapter';

import { testAdapterContract } from './adapters.contract';
import { shippedAdapter } from './adapters/shipped';

jest.setTimeout(60_000);

testAdapterContract(shippedAdapter('perplexity', 'provider-a'));
testAdapterContract(shippedAdapter('openai', 'provider-c'));
testAdapterContract(shippedAdapter('xai', 'provider-d'));
testAdapterContract(shippedAdapter('gemini', 'provider-b', { limitable: false }));
testAdapterContract(shippedAdapter('gemini-grounded', 'provider-b-lite'));
testAdapterContract(shippedAdapter('anthropic', 'provider-e'));

testAdapterContract({
  api: 'openai-compatible',
  model: 'vendor/model',
  limitable: true,
  create: (baseUrl, key) => {
    const prices = {
      inputMicrosPerMillionTokens: 1_000_000,
      cachedInputMicrosPerMillionTokens: 100_000,
      outputMicrosPerMillionTokens: 4_000_000,
      perSearchMicros: 20_000,
    };
    const limits = { maxOutputTokens: 8000, webSearchResults: 5, inputTokensPerSearch: 10_000 };
    return new OpenAiCompatibleProvider({ baseUrl, prices, ...limits }, key);
  },
});
