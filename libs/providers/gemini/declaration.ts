import { required, type Adapter } from '../adapter';
import { GeminiModelOptions, GeminiOptions } from './options';

export const gemini: Adapter<GeminiOptions> = {
  name: 'gemini',
  Options: GeminiOptions,
  key: { name: 'GEMINI_API_KEY' },
  citesDocuments: false,
  typicalSeconds: { fast: 600, methodical: 600 },
  async create(options, { key }) {
    const { GeminiProvider } = await import('./adapter.js');
    return new GeminiProvider(options, required(key));
  },
  languageModel: {
    Options: GeminiModelOptions,
    async create(model, key) {
      const { GeminiModel } = await import('./language-model.js');
      return new GeminiModel(model, required(key));
    },
  },
};
