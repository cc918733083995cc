import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { BUDGET_TIERS, PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';

import type { AdapterRules } from './adapter-rules';
import { DefaultProviders, ProviderCounts, ProvidersFileSections } from './provider-entry';
import type { ProviderKeys } from './provider-keys';
import { isAuto, readProvider, type ProviderSettings } from './provider-settings';
import { printable, SettingsError, type SettingsProblem } from './settings-error';
import { readSynthesis, type SynthesisSettings } from './synthesis-settings';
import { validated } from './validated';
import { readYaml } from './yaml-source';

export interface ProvidersFile {
  defaults: { preference: readonly ProviderId[]; count: Readonly<Record<BudgetTier, number>> };
  providers: Readonly<Record<ProviderId, ProviderSettings>>;
  /** The model that writes summaries of reports; null for none. */
  synthesis: SynthesisSettings | null;
}

/**
 * Reads which adapters serve the eight identifiers, from the given file or the package's `providers.yaml`.
 * @param adapters those that the file may use
 * @param keys decide the entries with `auto`; null refuses such entries
 * @throws SettingsError with everything that is wrong
 */
export function readProvidersFile(path: string | undefined, adapters: readonly AdapterRules[], keys: ProviderKeys | null): ProvidersFile {
  const file = path ?? shippedFile();
  const problems: SettingsProblem[] = [];
  const sections = validated(ProvidersFileSections, readYaml(file), '', problems);
  const defaults = sections && readDefaults(sections.defaults, problems);
  const providers = sections && readProviders(sections.providers, adapters, keys, problems);
  const synthesis = sections && readOptionalSynthesis(sections, adapters, problems);
  if (!defaults || !providers || synthesis === undefined || problems.length > 0) throw new SettingsError(file, problems);
  return { defaults, providers, synthesis };
}

/**
 * Reads only the model that writes summaries of reports, for processes that serve no provider.
 * @returns null if the file names none
 * @throws SettingsError with everything that is wrong
 */
export function readReportModel(path: string | undefined, adapters: readonly AdapterRules[]): SynthesisSettings | null {
  const file = path ?? shippedFile();
  const problems: SettingsProblem[] = [];
  const sections = validated(ProvidersFileSections, readYaml(file), '', problems);
  const synthesis = sections && readOptionalSynthesis(sections, adapters, problems);
  if (synthesis === undefined || problems.length > 0) throw new SettingsError(file, problems);
  return synthesis;
}

/** The identifier for a name or alias that a client uses. */
export function resolveProvider(file: ProvidersFile, name: string): ProviderId | undefined {
  return PROVIDERS.find((provider) => provider === name || file.providers[provider].aliases.includes(name));
}

function readOptionalSynthesis(
  { synthesis }: ProvidersFileSections,
  adapters: readonly AdapterRules[],
  problems: SettingsProblem[],
): SynthesisSettings | null | undefined {
  return synthesis === undefined ? null : readSynthesis(synthesis, adapters, problems);
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

function readProviders(
  plain: object,
  adapters: readonly AdapterRules[],
  keys: ProviderKeys | null,
  problems: SettingsProblem[],
): ProvidersFile['providers'] | undefined {
  const entries = new Map(Object.entries(plain));
  const remedy = `is not a provider; the providers are ${PROVIDERS.join(', ')}`;
  for (const name of entries.keys()) {
    if (!PROVIDERS.some((provider) => provider === name)) problems.push({ name: `providers.${printable(name)}`, value: null, remedy });
  }
  if (keys === null) problems.push(...undecided(PROVIDERS.filter((provider) => isAuto(entries.get(provider)))));
  const read = PROVIDERS.flatMap((provider): [ProviderId, ProviderSettings][] => {
    const settings = readProvider(entries.get(provider), `providers.${provider}`, { adapters, keys: keys ?? {}, problems });
    return settings ? [[provider, settings]] : [];
  });
  problems.push(...ambiguousAliases(read));
  return read.length === PROVIDERS.length ? (Object.fromEntries(read) as Record<ProviderId, ProviderSettings>) : undefined;
}

/** Separate roles have to agree on who serves a provider, but only one of them has its key. */
function undecided(providers: readonly ProviderId[]): SettingsProblem[] {
  if (providers.length === 0) return [];
  const remedy =
    'must each name an adapter: `auto` is for role all alone. With the keys of the workers set, ' +
    '`research resolve-providers > my-providers.yaml` writes such a file from this one; name it in PROVIDERS_FILE for every role';
  return [{ name: 'providers', value: `auto for ${providers.join(', ')}`, remedy }];
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

/** `providers.yaml` is at the package's root, which is above both the sources and the build. */
export function shippedFile(): string {
  for (let folder = __dirname; dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, 'providers.yaml');
    if (existsSync(file)) return file;
  }
  throw new SettingsError('providers.yaml', [
    { name: 'The file', value: null, remedy: 'is missing from the package; name one in PROVIDERS_FILE' },
  ]);
}
