import { required, type Adapter } from '../adapter';
import { OpenAiModelOptions, OpenAiOptions } from './options';

export const openai: Adapter<OpenAiOptions> = {
  name: 'openai',
  Options: OpenAiOptions,
  key: { name: 'OPENAI_API_KEY' },
  citesDocuments: false,
  typicalSeconds: { fast: 60, methodical: 300 },
  async create(options, { key }) {
    const { OpenAiProvider } = await import('./adapter.js');
    return new OpenAiProvider(options, required(key));
  },
  languageModel: {
    Options: OpenAiModelOptions,
    async create(model, key) {
      const { OpenAiModel } = await import('./language-model.js');
      return new OpenAiModel(model, required(key));
    },
  },
};
