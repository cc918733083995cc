import { required, type Adapter } from '../adapter';
import { PerplexityOptions } from './options';

export const perplexity: Adapter<PerplexityOptions> = {
  name: 'perplexity',
  Options: PerplexityOptions,
  key: { name: 'PERPLEXITY_API_KEY' },
  citesDocuments: false,
  typicalSeconds: { fast: 30, methodical: 90 },
  async create(options, { key }) {
    const { PerplexityProvider } = await import('./adapter.js');
    return new PerplexityProvider(options, required(key));
  },
};
