import { IsOptional, Matches } from 'class-validator';

import type { ProviderId } from '@lib/domain/vocabulary';

import type { AdapterName } from './provider-entry';
import { SettingsError, type SettingsProblem } from './settings-error';

const isKey = (target: object, key: string): void => {
  IsOptional()(target, key);
  // Anything else could not be sent in a header.
  Matches(/^[\x21-\x7e]{8,1000}$/, { message: 'must have 8 to 1000 printable characters without spaces' })(target, key);
};

/** The keys of the real APIs, under the names of their variables. All secret. */
export class ProviderKeys {
  @isKey PERPLEXITY_API_KEY: string | undefined = undefined;
  @isKey GEMINI_API_KEY: string | undefined = undefined;
  @isKey OPENAI_API_KEY: string | undefined = undefined;
  @isKey XAI_API_KEY: string | undefined = undefined;
  @isKey ANTHROPIC_API_KEY: string | undefined = undefined;
  /** Many servers of one's own need none. */
  @isKey OPENAI_COMPATIBLE_API_KEY: string | undefined = undefined;
}

export const PROVIDER_KEY_NAMES = Object.keys(new ProviderKeys()) as readonly (keyof ProviderKeys)[];

/** The variable with the key of each adapter of a real API, and whether it can do without. */
const KEY_OF_ADAPTER: { readonly [Adapter in AdapterName]?: { variable: keyof ProviderKeys; optional?: true } } = {
  perplexity: { variable: 'PERPLEXITY_API_KEY' },
  gemini: { variable: 'GEMINI_API_KEY' },
  'gemini-grounded': { variable: 'GEMINI_API_KEY' },
  openai: { variable: 'OPENAI_API_KEY' },
  xai: { variable: 'XAI_API_KEY' },
  anthropic: { variable: 'ANTHROPIC_API_KEY' },
  'openai-compatible': { variable: 'OPENAI_COMPATIBLE_API_KEY', optional: true },
};

export const isRealApi = (adapter: AdapterName): boolean => KEY_OF_ADAPTER[adapter] !== undefined;

/** The variable that holds the key of an adapter; null for one without a key. */
export const keyVariableOf = (adapter: AdapterName): keyof ProviderKeys | null => KEY_OF_ADAPTER[adapter]?.variable ?? null;

/** The key of an adapter; null where none is set or none exists. */
export function keyOf(adapter: AdapterName, keys: ProviderKeys): string | null {
  const variable = KEY_OF_ADAPTER[adapter]?.variable;
  return (variable && keys[variable]) ?? null;
}

/** The variable that an adapter needs and that is not set; undefined where nothing is missing. */
export function missingKey(adapter: AdapterName, keys: ProviderKeys): keyof ProviderKeys | undefined {
  const needed = KEY_OF_ADAPTER[adapter];
  return needed && !needed.optional && keys[needed.variable] === undefined ? needed.variable : undefined;
}

/** @throws SettingsError where a provider is served by the adapter of a real API whose key is not set */
export function requireKeys(providers: Readonly<Partial<Record<ProviderId, { adapter: AdapterName }>>>, keys: ProviderKeys): void {
  const problems = Object.entries(providers).flatMap(([provider, { adapter }]): SettingsProblem[] => {
    const missing = missingKey(adapter, keys);
    if (!missing) return [];
    const remedy = `must be set, for ${provider} is served by ${adapter}; or leave ${provider} out of WORKER_PROVIDERS`;
    return [{ name: missing, value: null, remedy }];
  });
  if (problems.length > 0) throw new SettingsError('The environment', problems);
}
