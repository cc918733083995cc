import { isMap, parseDocument, type YAMLMap } from 'yaml';

/**
 * A copy of a providers file with other options of the real APIs, such as `baseUrl`.
 * @param optionsOf the options to set for an adapter of a provider; undefined leaves the entry as it is
 */
export function withOptions(yaml: string, optionsOf: (adapter: string, provider: string) => object | undefined): string {
  const document = parseDocument(yaml);
  const providers = document.get('providers');
  if (!isMap(providers)) throw new Error('The providers file has no mapping `providers`');
  for (const { key, value } of providers.items) {
    if (!isMap(value)) continue;
    // With the adapter `auto`, the real API is below `withKey`.
    const withKey = value.get('withKey');
    setOptions(isMap(withKey) ? withKey : value, String(key), optionsOf);
  }
  return document.toString({ lineWidth: 0 });
}

function setOptions(entry: YAMLMap, provider: string, optionsOf: (adapter: string, provider: string) => object | undefined): void {
  const options = optionsOf(String(entry.get('adapter')), provider);
  for (const [name, value] of Object.entries(options ?? {})) entry.setIn(['options', name], value);
}
