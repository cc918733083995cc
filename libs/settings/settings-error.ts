/** One thing that is wrong with the settings. */
export interface SettingsProblem {
  /** The environment variable, or the path within the file such as `providers.provider-a.adapter`. */
  name: string;
  /** What was found there, as text; null for a secret and for what is missing. */
  value: string | null;
  /** What it must be instead, completing the sentence "<name> …". */
  remedy: string;
}

/** Settings that cannot be used. It lists everything that is wrong at once, and never a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(
    /** `The environment`, or the file that was read. */
    source: string,
    readonly problems: readonly SettingsProblem[],
  ) {
    super([`${source} cannot be used:`, ...problems.map(describe)].join('\n'));
  }
}

function describe({ name, value, remedy }: SettingsProblem): string {
  return value === null ? `- ${name} ${remedy}` : `- ${name} ${remedy}; it is ${value}`;
}

const LONGEST_VALUE = 80;

/** A value as it may stand in a message: one line, quoted, cut. */
export function printable(value: unknown): string {
  const characters = Array.from(JSON.stringify(value) ?? String(value));
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE).join('')}…` : characters.join('');
}
