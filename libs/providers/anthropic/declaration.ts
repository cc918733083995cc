import { required, type Adapter } from '../adapter';
import { AnthropicModelOptions, AnthropicOptions } from './options';

export const anthropic: Adapter<AnthropicOptions> = {
  name: 'anthropic',
  Options: AnthropicOptions,
  key: { name: 'ANTHROPIC_API_KEY' },
  citesDocuments: false,
  typicalSeconds: { fast: 60, methodical: 180 },
  async create(options, { key }) {
    const { AnthropicProvider } = await import('./adapter.js');
    return new AnthropicProvider(options, required(key));
  },
  languageModel: {
    Options: AnthropicModelOptions,
    async create(model, key) {
      const { AnthropicModel } = await import('./language-model.js');
      return new AnthropicModel(model, required(key));
    },
  },
};
