import type { Adapter } from '../adapter';
import { OpenAiCompatibleModelOptions, OpenAiCompatibleOptions } from './options';

export const openAiCompatible: Adapter<OpenAiCompatibleOptions> = {
  name: 'openai-compatible',
  Options: OpenAiCompatibleOptions,
  key: { name: 'OPENAI_COMPATIBLE_API_KEY', optional: true },
  citesDocuments: false,
  typicalSeconds: { fast: 60, methodical: 180 },
  async create(options, { key }) {
    const { OpenAiCompatibleProvider } = await import('./adapter.js');
    return new OpenAiCompatibleProvider(options, key);
  },
  languageModel: {
    Options: OpenAiCompatibleModelOptions,
    async create(model, key) {
      const { OpenAiCompatibleModel } = await import('./language-model.js');
      return new OpenAiCompatibleModel(model, key);
    },
  },
};
