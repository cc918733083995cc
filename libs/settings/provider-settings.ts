import type { KeyVariable } from '@lib/domain/key-variable';
import type { ResearchMode } from '@lib/domain/vocabulary';

import type { AdapterRules } from './adapter-rules';
import { AUTO, AutoEntry, ProviderEntry } from './provider-entry';
import type { ProviderKeys } from './provider-keys';
import type { SettingsProblem } from './settings-error';
import { found, isMapping, validated } from './validated';

/** Which adapter serves a provider, and how. */
export interface ProviderSettings extends Omit<ProviderEntry, 'typicalSeconds'> {
  /** How long a run typically takes. */
  typicalSeconds: Readonly<Record<ResearchMode, number>>;
  /** The variable with the key of its API; null where no API is called. */
  key: KeyVariable | null;
}

const AT_ONCE: Record<ResearchMode, number> = { fast: 0, methodical: 0 };

/** Whether keys decide which adapter serves a provider. */
export const isAuto = (plain: unknown): plain is object => isMapping(plain) && 'adapter' in plain && plain.adapter === AUTO;

/** Which side of an `auto` entry applies. */
export const autoSide = (key: KeyVariable | null, keys: ProviderKeys): 'withKey' | 'withoutKey' =>
  key && keys[key.name] !== undefined ? 'withKey' : 'withoutKey';

/** The adapter that the plain data names. */
function adapterIn(plain: object, path: string, adapters: readonly AdapterRules[], problems: SettingsProblem[]): AdapterRules | undefined {
  const name: unknown = 'adapter' in plain ? plain.adapter : undefined;
  const adapter = adapters.find((known) => known.name === name);
  const remedy = `must be one of ${adapters.map((known) => known.name).join(', ')}, ${AUTO}`;
  if (!adapter) problems.push({ name: `${path}.adapter`, value: found(name), remedy });
  return adapter;
}

interface Reading {
  adapters: readonly AdapterRules[];
  /** They decide which adapter the entries with `auto` get. */
  keys: ProviderKeys;
  /** Problems found are added here. */
  problems: SettingsProblem[];
}

export function readProvider(plain: unknown, path: string, reading: Reading): ProviderSettings | undefined {
  return isAuto(plain) ? readAuto(plain, path, reading) : readEntry(plain, path, reading);
}

/** What an entry may say beside `adapter`, and an entry with `auto` only in its sides. */
const OF_A_SIDE = new Set([
  'model',
  'priceDate',
  'minReserveCents',
  'maxReserveCents',
  'concurrency',
  'requestsPerMinute',
  'typicalSeconds',
  'options',
]);

function readAuto(plain: object, path: string, reading: Reading): ProviderSettings | undefined {
  const [misplaced, own] = [true, false].map((isOfSide) => Object.entries(plain).filter(([name]) => OF_A_SIDE.has(name) === isOfSide));
  const remedy = `must stand under withKey or withoutKey, because adapter is ${AUTO}`;
  for (const [name, value] of misplaced ?? []) reading.problems.push({ name: `${path}.${name}`, value: found(value), remedy });
  const entry = validated(AutoEntry, Object.fromEntries(own ?? []), path, reading.problems);
  const withKey = entry && readEntry(entry.withKey, `${path}.withKey`, reading);
  const withoutKey = entry && readEntry(entry.withoutKey, `${path}.withoutKey`, reading);
  if (!entry || !withKey || !withoutKey) return undefined;
  const chosen = { withKey, withoutKey }[autoSide(withKey.key, reading.keys)];
  return { ...chosen, aliases: entry.aliases };
}

function readEntry(plain: unknown, path: string, { adapters, problems }: Reading): ProviderSettings | undefined {
  const entry = validated(ProviderEntry, plain, path, problems);
  const adapter = isMapping(plain) ? adapterIn(plain, path, adapters, problems) : undefined;
  if (!entry || !adapter) return undefined;
  const options = validated(adapter.Options, entry.options, `${path}.options`, problems);
  if (entry.minReserveCents > entry.maxReserveCents) {
    const remedy = `must be at most maxReserveCents (${entry.maxReserveCents})`;
    problems.push({ name: `${path}.minReserveCents`, value: String(entry.minReserveCents), remedy });
  }
  if (entry.model === null && adapter.key) {
    problems.push({ name: `${path}.model`, value: null, remedy: `must be set: the adapter ${adapter.name} has no model of its own` });
  }
  const typicalSeconds =
    entry.typicalSeconds === null ? (adapter.typicalSeconds ?? AT_ONCE) : { fast: entry.typicalSeconds, methodical: entry.typicalSeconds };
  return options && { ...entry, options, typicalSeconds, key: adapter.key ?? null };
}
