import { PriceTable } from './api-options';
import { ADAPTER_OPTIONS, AUTO, AutoEntry, ProviderEntry, type AdapterName } from './provider-entry';
import { isRealApi, keyOf, type ProviderKeys } from './provider-keys';
import type { SettingsProblem } from './settings-error';
import { validated } from './validated';

/** Which adapter serves a provider, and how. */
export type AdapterSettings = {
  [Adapter in AdapterName]: { adapter: Adapter; options: InstanceType<(typeof ADAPTER_OPTIONS)[Adapter]> };
}[AdapterName];

export type ProviderSettings = AdapterSettings & Omit<ProviderEntry, 'adapter' | 'options'>;

/** Whether the keys decide who serves a provider. */
export const isAuto = (plain: unknown): plain is object =>
  typeof plain === 'object' && plain !== null && 'adapter' in plain && plain.adapter === AUTO;

/** Which side of an `auto` entry counts. */
export const autoSide = (withKey: AdapterName, keys: ProviderKeys): 'withKey' | 'withoutKey' =>
  keyOf(withKey, keys) === null ? 'withoutKey' : 'withKey';

/** Reads what the file says of one provider; the keys decide what `auto` means. */
export function readProvider(plain: unknown, path: string, keys: ProviderKeys, problems: SettingsProblem[]): ProviderSettings | undefined {
  return isAuto(plain) ? readAuto(plain, path, keys, problems) : readEntry(plain, path, problems);
}

function readAuto(plain: object, path: string, keys: ProviderKeys, problems: SettingsProblem[]): ProviderSettings | undefined {
  const entry = validated(AutoEntry, plain, path, problems);
  const withKey = entry && readEntry(entry.withKey, `${path}.withKey`, problems);
  const withoutKey = entry && readEntry(entry.withoutKey, `${path}.withoutKey`, problems);
  if (!entry || !withKey || !withoutKey) return undefined;
  const chosen = { withKey, withoutKey }[autoSide(withKey.adapter, keys)];
  return { ...chosen, aliases: entry.aliases };
}

function readEntry(plain: unknown, path: string, problems: SettingsProblem[]): ProviderSettings | undefined {
  const entry = validated(ProviderEntry, plain, path, problems);
  if (!entry) return undefined;
  const options = readOptions(entry, `${path}.options`, problems);
  if (entry.minReserveCents > entry.maxReserveCents) {
    const remedy = `must be at most maxReserveCents (${entry.maxReserveCents})`;
    problems.push({ name: `${path}.minReserveCents`, value: String(entry.minReserveCents), remedy });
  }
  if (entry.model === null && isRealApi(entry.adapter)) {
    problems.push({ name: `${path}.model`, value: null, remedy: `must be set: the adapter ${entry.adapter} has no model of its own` });
  }
  // The options were validated by the class that belongs to the adapter.
  return options && ({ ...entry, options } as ProviderSettings);
}

function readOptions({ adapter, options: plain }: ProviderEntry, path: string, problems: SettingsProblem[]): object | undefined {
  const options = validated<object>(ADAPTER_OPTIONS[adapter], plain, path, problems);
  if (!options || !('prices' in options)) return options;
  const prices = validated(PriceTable, options.prices, `${path}.prices`, problems);
  return prices && { ...options, prices };
}
