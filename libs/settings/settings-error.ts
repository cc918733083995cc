/** One thing that is wrong with the settings. */
export interface SettingsProblem {
  /** The environment variable, or the path within the file such as `providers.provider-a.adapter`. */
  name: string;
  /** The text found there; null for a secret or a missing value. */
  value: string | null;
  /** What to do, as the rest of a sentence that begins with the name. */
  remedy: string;
}

/** Unusable settings. Lists all problems at once and shows no secrets. */
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

/** A value for use in a message: quoted, in one line, shortened. */
export function printable(value: unknown): string {
  const characters = Array.from(JSON.stringify(value) ?? String(value));
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE).join('')}…` : characters.join('');
}
