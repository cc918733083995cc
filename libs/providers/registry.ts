import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';

import { CorpusProvider } from './corpus/adapter';
import { documentFolder } from './corpus/folder';
import type { ProviderConfiguration } from './provider-configuration';
import type { ResearchProvider } from './research-provider';
import { SimulatedProvider } from './simulated/adapter';

/** What adapters need beside their own options. */
export interface ProviderSurroundings {
  /** Folder of documents for the corpus; undefined means the documentation of the installed packages. */
  corpusDir: string | undefined;
}

/** The adapter of each of the eight identifiers. Nothing is opened or connected before the first request. */
export function createProviders(
  configurations: Readonly<Record<ProviderId, ProviderConfiguration>>,
  surroundings: ProviderSurroundings,
): ReadonlyMap<ProviderId, ResearchProvider> {
  return new Map(PROVIDERS.map((provider) => [provider, createProvider(configurations[provider], surroundings)]));
}

function createProvider(configuration: ProviderConfiguration, { corpusDir }: ProviderSurroundings): ResearchProvider {
  switch (configuration.adapter) {
    case 'corpus':
      return new CorpusProvider(documentFolder(corpusDir), configuration.options);
    case 'simulated':
      return new SimulatedProvider(configuration.options);
  }
}
