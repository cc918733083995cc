import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';

import { AnthropicProvider } from './anthropic/adapter';
import { CorpusProvider } from './corpus/adapter';
import { documentFolder } from './corpus/folder';
import type { CorpusLog } from './corpus/index-update';
import { GeminiGroundedProvider } from './gemini-grounded/adapter';
import { GeminiProvider } from './gemini/adapter';
import { OpenAiCompatibleProvider } from './openai-compatible/adapter';
import { OpenAiProvider } from './openai/adapter';
import { PerplexityProvider } from './perplexity/adapter';
import type { AdapterName, ProviderConfiguration } from './provider-configuration';
import type { ResearchProvider } from './research-provider';
import { SimulatedProvider } from './simulated/adapter';
import { XaiProvider } from './xai/adapter';

/** What adapters need beside their own options. */
export interface ProviderSurroundings {
  /** Folder of documents for the corpus; undefined means the documentation of the installed packages. */
  corpusDir: string | undefined;
  /** Folder for what can be made again: indexes of documents, word vectors; null keeps nothing. */
  cacheFolder: string | null;
  log: CorpusLog;
  /** The key of the API that an adapter calls; null if there is none. */
  keyOf: (adapter: AdapterName) => string | null;
}

/** The adapter of each identifier that is configured. Nothing is opened or connected before the first request. */
export function createProviders(
  configurations: Readonly<Partial<Record<ProviderId, ProviderConfiguration>>>,
  surroundings: ProviderSurroundings,
): ReadonlyMap<ProviderId, ResearchProvider> {
  return new Map(
    PROVIDERS.flatMap((provider): [ProviderId, ResearchProvider][] => {
      const configuration = configurations[provider];
      return configuration ? [[provider, createProvider(configuration, surroundings)]] : [];
    }),
  );
}

function createProvider({ adapter, options }: ProviderConfiguration, surroundings: ProviderSurroundings): ResearchProvider {
  const { corpusDir, cacheFolder, log, keyOf } = surroundings;
  switch (adapter) {
    case 'corpus':
      return new CorpusProvider(documentFolder(corpusDir), { cacheFolder, log }, options);
    case 'simulated':
      return new SimulatedProvider(options);
    case 'openai-compatible':
      return new OpenAiCompatibleProvider(options, keyOf(adapter));
    case 'perplexity':
      return new PerplexityProvider(options, required(keyOf, adapter));
    case 'gemini':
      return new GeminiProvider(options, required(keyOf, adapter));
    case 'gemini-grounded':
      return new GeminiGroundedProvider(options, required(keyOf, adapter));
    case 'openai':
      return new OpenAiProvider(options, required(keyOf, adapter));
    case 'xai':
      return new XaiProvider(options, required(keyOf, adapter));
    case 'anthropic':
      return new AnthropicProvider(options, required(keyOf, adapter));
  }
}

function required(keyOf: ProviderSurroundings['keyOf'], adapter: AdapterName): string {
  const key = keyOf(adapter);
  if (key === null) throw new Error(`The adapter ${adapter} cannot work without a key`);
  return key;
}
