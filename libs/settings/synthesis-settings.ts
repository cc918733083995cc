import { Allow, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

import type { KeyVariable } from '@lib/domain/key-variable';

import type { AdapterRules } from './adapter-rules';
import { isDay, isModelName, MAX_RESERVE_CENTS } from './provider-entry';
import { missingKey, type ProviderKeys } from './provider-keys';
import { SettingsError, type SettingsProblem } from './settings-error';
import { found, isMapping, validated } from './validated';

/** The section of the model that writes summaries, before its options are validated. */
class SynthesisEntry {
  /** Compared with the adapters that have a language model when the section is read. */
  @Allow()
  adapter!: string;

  @Matches(...isModelName)
  model!: string;

  /** Day of the prices; recorded with each claim. */
  @IsOptional()
  @Matches(...isDay)
  priceDate: string | null = null;

  /** Reserved from each job's cap; the unused part is given back. At least 1 even for a free model, since a job without a reserve gets no summary. */
  @IsInt({ message: 'must be a whole number of cents' })
  @Min(1, { message: 'must be at least 1 (cents); what is not needed is given back' })
  @Max(MAX_RESERVE_CENTS, { message: `must be at most ${MAX_RESERVE_CENTS} (cents)` })
  reserveCents!: number;
}

const OWN: readonly string[] = ['adapter', 'model', 'priceDate', 'reserveCents'];

export interface SynthesisSettings extends SynthesisEntry {
  /** The variable with the key of its API. */
  key: KeyVariable | null;
  /** The other settings of the section: options of the adapter's language model. */
  options: object;
}

/** Reads the section `synthesis`. Undefined if it added problems. */
export function readSynthesis(
  plain: unknown,
  adapters: readonly AdapterRules[],
  problems: SettingsProblem[],
): SynthesisSettings | undefined {
  const settings = isMapping(plain) ? Object.entries(plain) : [];
  const own = Object.fromEntries(settings.filter(([name]) => OWN.includes(name)));
  const entry = validated(SynthesisEntry, isMapping(plain) ? own : plain, 'synthesis', problems);
  if (!entry) return undefined;
  const writers = adapters.filter(({ languageModel }) => languageModel);
  const adapter = writers.find(({ name }) => name === entry.adapter);
  if (!adapter?.languageModel) {
    const remedy = `must be one of ${writers.map(({ name }) => name).join(', ')}`;
    problems.push({ name: 'synthesis.adapter', value: found(entry.adapter), remedy });
    return undefined;
  }
  const others = Object.fromEntries(settings.filter(([name]) => !OWN.includes(name)));
  const options = validated(adapter.languageModel.Options, others, 'synthesis', problems);
  return options && { ...entry, options, key: adapter.key ?? null };
}

/**
 * The key of the API that writes summaries; null if it is neither set nor needed.
 * @throws SettingsError if it is needed and not set
 */
export function synthesisKey({ adapter, key }: SynthesisSettings, keys: ProviderKeys): string | null {
  const missing = missingKey(key, keys);
  if (!missing) return (key && keys[key.name]) ?? null;
  const remedy = `must be set, for the reports are written by ${adapter}; or take the section synthesis out of the providers file`;
  throw new SettingsError('The environment', [{ name: missing, value: null, remedy }]);
}
