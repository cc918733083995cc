import { readFileSync } from 'node:fs';

import { isMap, parseDocument } from 'yaml';

import type { AdapterRules } from './adapter-rules';
import { AUTO } from './provider-entry';
import type { ProviderKeys } from './provider-keys';
import { autoSide } from './provider-settings';
import { readProvidersFile, shippedFile } from './providers-file';

/**
 * Replaces each `auto` of a providers file by the side that the keys select, and keeps the file's comments. For roles that run as separate processes.
 * @param path the shipped file if it is undefined
 * @throws SettingsError with everything that is wrong with the file
 */
export function resolveAuto(path: string | undefined, adapters: readonly AdapterRules[], keys: ProviderKeys): string {
  readProvidersFile(path, adapters, keys);
  const document = parseDocument(readFileSync(path ?? shippedFile(), 'utf8'));
  const providers = document.get('providers');
  // The file was validated above.
  for (const pair of isMap(providers) ? providers.items : []) {
    const entry = pair.value;
    if (!isMap(entry) || entry.get('adapter') !== AUTO) continue;
    const named = adapters.find(({ name }) => name === entry.getIn(['withKey', 'adapter']));
    const side = autoSide(named?.key ?? null, keys);
    const chosen = entry.get(side);
    if (!isMap(chosen)) continue;
    if (entry.has('aliases')) chosen.set('aliases', entry.get('aliases'));
    pair.value = chosen;
  }
  return document.toString({ lineWidth: 0 });
}
