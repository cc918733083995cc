import type { KeyVariable } from '@lib/domain/key-variable';
import type { ProviderId } from '@lib/domain/vocabulary';

import { readSecret } from './secrets';
import { SettingsError, type SettingsProblem } from './settings-error';

/** The keys of the real APIs under the names of their variables. All secret. */
export type ProviderKeys = Readonly<Partial<Record<string, string>>>;

/** Other characters could not be sent in a header. */
const KEY = /^[\x21-\x7e]{8,1000}$/;

export function readProviderKeys(variables: readonly string[], environment: NodeJS.ProcessEnv, problems: SettingsProblem[]): ProviderKeys {
  const keys: Partial<Record<string, string>> = {};
  for (const name of variables) {
    const key = readSecret(name, environment, problems);
    if (key === undefined) continue;
    if (KEY.test(key)) keys[name] = key;
    else problems.push({ name, value: null, remedy: 'must have 8 to 1000 printable characters without spaces' });
  }
  return keys;
}

/** The variable's name if the key is needed and not set. */
export const missingKey = (key: KeyVariable | null, keys: ProviderKeys): string | undefined =>
  key && !key.optional && keys[key.name] === undefined ? key.name : undefined;

interface Served {
  adapter: string;
  key: KeyVariable | null;
}

/** @throws SettingsError where a provider is served by the adapter of a real API whose key is not set */
export function requireKeys(providers: Readonly<Partial<Record<ProviderId, Served>>>, keys: ProviderKeys): void {
  const problems = Object.entries(providers).flatMap(([provider, { adapter, key }]): SettingsProblem[] => {
    const missing = missingKey(key, keys);
    if (!missing) return [];
    const remedy = `must be set, for ${provider} is served by ${adapter}; or leave ${provider} out of WORKER_PROVIDERS`;
    return [{ name: missing, value: null, remedy }];
  });
  if (problems.length > 0) throw new SettingsError('The environment', problems);
}
