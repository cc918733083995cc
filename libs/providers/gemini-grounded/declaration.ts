import { required, type Adapter } from '../adapter';
import { GeminiGroundedOptions } from './options';

export const geminiGrounded: Adapter<GeminiGroundedOptions> = {
  name: 'gemini-grounded',
  Options: GeminiGroundedOptions,
  key: { name: 'GEMINI_API_KEY' },
  citesDocuments: false,
  typicalSeconds: { fast: 30, methodical: 60 },
  async create(options, { key }) {
    const { GeminiGroundedProvider } = await import('./adapter.js');
    return new GeminiGroundedProvider(options, required(key));
  },
};
