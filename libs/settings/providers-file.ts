import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { BUDGET_TIERS, PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';

import { DefaultProviders, ProviderCounts, ProvidersFileSections } from './provider-entry';
import type { ProviderKeys } from './provider-keys';
import { readProvider, type ProviderSettings } from './provider-settings';
import { printable, SettingsError, type SettingsProblem } from './settings-error';
import { validated } from './validated';
import { readYaml } from './yaml-source';

export interface ProvidersFile {
  defaults: { preference: readonly ProviderId[]; count: Readonly<Record<BudgetTier, number>> };
  providers: Readonly<Record<ProviderId, ProviderSettings>>;
}

/**
 * Reads who serves the eight identifiers: from the given file, or from the `providers.yaml` of the package.
 * @param keys decide who serves a provider whose adapter is `auto`; null refuses `auto`
 * @throws SettingsError with everything that is wrong
 */
export function readProvidersFile(path: string | undefined, keys: ProviderKeys | null): ProvidersFile {
  const file = path ?? shippedFile();
  const problems: SettingsProblem[] = [];
  const sections = validated(ProvidersFileSections, readYaml(file), '', problems);
  const defaults = sections && readDefaults(sections.defaults, problems);
  const providers = sections && readProviders(sections.providers, keys, problems);
  if (!defaults || !providers || problems.length > 0) throw new SettingsError(file, problems);
  return { defaults, providers };
}

/** The identifier that a client means by a neutral name or by one of its aliases. */
export function resolveProvider(file: ProvidersFile, name: string): ProviderId | undefined {
  return PROVIDERS.find((provider) => provider === name || file.providers[provider].aliases.includes(name));
}

function readDefaults(plain: object, problems: SettingsProblem[]): ProvidersFile['defaults'] | undefined {
  const defaults = validated(DefaultProviders, plain, 'defaults', problems);
  const count = defaults && validated(ProviderCounts, defaults.count, 'defaults.count', problems);
  if (!defaults || !count) return undefined;
  const { preference } = defaults;
  for (const tier of BUDGET_TIERS.filter((tier) => count[tier] > preference.length)) {
    const remedy = `must be at most the ${preference.length} providers of defaults.preference`;
    problems.push({ name: `defaults.count.${tier}`, value: String(count[tier]), remedy });
  }
  return { preference, count };
}

function readProviders(plain: object, keys: ProviderKeys | null, problems: SettingsProblem[]): ProvidersFile['providers'] | undefined {
  const entries = new Map(Object.entries(plain));
  const remedy = `is not a provider; the providers are ${PROVIDERS.join(', ')}`;
  for (const name of entries.keys()) {
    if (!PROVIDERS.some((provider) => provider === name)) problems.push({ name: `providers.${printable(name)}`, value: null, remedy });
  }
  const read = PROVIDERS.flatMap((provider): [ProviderId, ProviderSettings][] => {
    const settings = readProvider(entries.get(provider), `providers.${provider}`, keys, problems);
    return settings ? [[provider, settings]] : [];
  });
  problems.push(...ambiguousAliases(read));
  return read.length === PROVIDERS.length ? (Object.fromEntries(read) as Record<ProviderId, ProviderSettings>) : undefined;
}

function ambiguousAliases(providers: readonly [ProviderId, ProviderSettings][]): SettingsProblem[] {
  const taken = new Map<string, string>(PROVIDERS.map((provider) => [provider, `the identifier ${provider}`]));
  const problems: SettingsProblem[] = [];
  for (const [provider, { aliases }] of providers) {
    for (const alias of aliases) {
      const owner = taken.get(alias);
      if (owner) problems.push({ name: `providers.${provider}.aliases`, value: printable(alias), remedy: `must not repeat ${owner}` });
      taken.set(alias, `an alias of ${provider}`);
    }
  }
  return problems;
}

/** `providers.yaml` lies at the root of the package, above the sources as well as above the build. */
function shippedFile(): string {
  for (let folder = __dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, 'providers.yaml');
    if (existsSync(file)) return file;
  }
  throw new SettingsError('providers.yaml', [
    { name: 'The file', value: null, remedy: 'is missing from the package; name one in PROVIDERS_FILE' },
  ]);
}
