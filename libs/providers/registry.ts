import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';

import type { Adapter, Inspection, Surroundings } from './adapter';
import { anthropic } from './anthropic/declaration';
import { corpus } from './corpus/declaration';
import { geminiGrounded } from './gemini-grounded/declaration';
import { gemini } from './gemini/declaration';
import type { LanguageModel, LanguageModelOptions } from './language-model/language-model';
import { openAiCompatible } from './openai-compatible/declaration';
import { openai } from './openai/declaration';
import { perplexity } from './perplexity/declaration';
import type { ResearchProvider } from './research-provider';
import { simulated } from './simulated/declaration';
import { xai } from './xai/declaration';

/** Every adapter that the providers file can name. */
export const ADAPTERS: readonly Adapter[] = [
  corpus,
  simulated,
  perplexity,
  openai,
  anthropic,
  gemini,
  geminiGrounded,
  xai,
  openAiCompatible,
];

/** The environment variables that hold keys of APIs. */
export const KEY_VARIABLES: readonly string[] = [...new Set(ADAPTERS.flatMap(({ key }) => key?.name ?? []))];

/** Values of the key variables, by variable name. */
type Keys = Readonly<Partial<Record<string, string>>>;

/** An adapter and its options, which have passed the rules of its declaration. */
interface Configuration {
  adapter: string;
  options: object;
}

/** @throws Error for a name that no adapter has */
export function adapterNamed(name: string): Adapter {
  const adapter = ADAPTERS.find((known) => known.name === name);
  if (!adapter) throw new Error(`There is no adapter ${name}`);
  return adapter;
}

/** Whether reports of this adapter may cite local documents. One that only a newer build knows may. */
export function mayCiteDocuments(name: string): boolean {
  const adapter = ADAPTERS.find((known) => known.name === name);
  return adapter === undefined || adapter.citesDocuments;
}

/** A provider for each identifier that is configured. Nothing is opened or connected before the first request. */
export async function createProviders(
  configurations: Readonly<Partial<Record<ProviderId, Configuration>>>,
  keys: Keys,
  surroundings: Omit<Surroundings, 'key'>,
): Promise<ReadonlyMap<ProviderId, ResearchProvider>> {
  const providers = new Map<ProviderId, ResearchProvider>();
  for (const provider of PROVIDERS) {
    const configuration = configurations[provider];
    if (!configuration) continue;
    const adapter = adapterNamed(configuration.adapter);
    const key = (adapter.key && keys[adapter.key.name]) ?? null;
    providers.set(provider, await adapter.create(configuration.options, { ...surroundings, key }));
  }
  return providers;
}

/** What the adapters of these providers say about their surroundings, each asked once. Most adapters have none. */
export async function inspectAdapters(
  providers: readonly Pick<Configuration, 'adapter'>[],
  surroundings: Pick<Surroundings, 'corpusDir'>,
): Promise<(Inspection & { adapter: string })[]> {
  const inUse = Array.from(new Set(providers.map(({ adapter }) => adapterNamed(adapter))));
  const inspections = await Promise.all(
    inUse.map(async (adapter) => {
      const inspection = await adapter.inspect?.(surroundings);
      return inspection ? [{ adapter: adapter.name, ...inspection }] : [];
    }),
  );
  return inspections.flat();
}

/** The model that writes the summaries of reports. */
export async function createLanguageModel(
  { adapter, model, options }: Configuration & { model: string },
  key: string | null,
): Promise<LanguageModel> {
  const { languageModel } = adapterNamed(adapter);
  if (!languageModel) throw new Error(`The adapter ${adapter} cannot write reports`);
  return languageModel.create({ ...(options as LanguageModelOptions), model }, key);
}
