import { required, type Adapter } from '../adapter';
import { XaiOptions } from './options';

export const xai: Adapter<XaiOptions> = {
  name: 'xai',
  Options: XaiOptions,
  key: { name: 'XAI_API_KEY' },
  citesDocuments: false,
  typicalSeconds: { fast: 60, methodical: 180 },
  async create(options, { key }) {
    const { XaiProvider } = await import('./adapter.js');
    return new XaiProvider(options, required(key));
  },
};
