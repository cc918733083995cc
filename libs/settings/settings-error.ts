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

const MAX_VALUE_LENGTH = 80;
/** Messages show no secret settings, but a secret may have been put elsewhere by mistake. */
const SECRET_NAME = /key|token|secret|passw|auth/i;
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
/** The query of an address that should have none: some services take a token there. */
const QUERY_PART = /[?&][^&]*/g;

/** Whether the value under this name may be a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** A value for use in a message: quoted, on one line, shortened, and without anything that may be a secret. */
export function printable(value: unknown): string {
  const characters = Array.from(JSON.stringify(value, withoutSecrets) ?? String(value));
  return characters.length > MAX_VALUE_LENGTH ? `${characters.slice(0, MAX_VALUE_LENGTH).join('')}…` : characters.join('');
}

function withoutSecrets(name: string, value: unknown): unknown {
  if (isSecretName(name) && typeof value !== 'number') return '…';
  return typeof value === 'string' ? withoutLogin(value).replace(QUERY_PART, withoutQueryValue) : value;
}

/** The text before the last @ may be a login. A password may hold characters that no address may: spaces, quotes, another @. */
function withoutLogin(text: string): string {
  const end = text.lastIndexOf('@');
  const before = text.slice(0, Math.max(end, 0));
  const [scheme] = SCHEME.exec(before) ?? [''];
  return scheme !== '' || before.includes(':') ? `${scheme}…${text.slice(end)}` : text;
}

function withoutQueryValue(part: string): string {
  const end = part.indexOf('=') + 1;
  return end > 0 && end < part.length ? `${part.slice(0, end)}…` : part;
}
