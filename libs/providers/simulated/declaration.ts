import type { Adapter } from '../adapter';
import { SimulatedOptions } from './options';

export const simulated: Adapter<SimulatedOptions> = {
  name: 'simulated',
  Options: SimulatedOptions,
  invents: true,
  // Of recorded reports.
  citesDocuments: true,
  async create(options) {
    const { SimulatedProvider } = await import('./adapter.js');
    return new SimulatedProvider(options);
  },
};
