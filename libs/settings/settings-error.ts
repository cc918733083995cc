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
/** What stands before an @, which may be a login, after the scheme of the address. A password may hold what no address may. */
const LOGIN = /([a-z][a-z\d+.-]*:\/\/)[^\s"]*@|[^\s"]*:[^\s"]*@/gi;
/** Of an address that should have no query: some services take a token there. */
const QUERY_VALUE = /([?&][^=\s"&]*=)[^&\s"]+/g;

/** A value for use in a message: quoted, in one line, shortened, and of an address without what may be a secret. */
export function printable(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  const characters = Array.from(text.replace(LOGIN, '$1…@').replace(QUERY_VALUE, '$1…'));
  return characters.length > LONGEST_VALUE ? `${characters.slice(0, LONGEST_VALUE).join('')}…` : characters.join('');
}
