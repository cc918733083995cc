import { KEY_VARIABLES } from '@lib/providers/registry';
import type { Env } from '@lib/settings/env';
import { NATS_LOGIN_VARIABLES } from '@lib/settings/nats-login';
import { readEnv } from '@lib/settings/read-env';
import { SettingsError, type SettingsProblem } from '@lib/settings/settings-error';
import { holdsProviderKeys, type Role } from '../roles';
import { ok, problem, type Check } from './check';

export interface ReadSettings {
  /** Unusable variables are treated as unset. */
  env: Env;
  /** Unusable variables; checks that depend on them are skipped. */
  broken: ReadonlySet<string>;
  checks: Check[];
}

/**
 * Reads the environment as the roles do, but continues without unusable variables.
 * @param told variables that were reported and left out: what is wrong with their defaults, nobody has set
 */
export function readSettings(
  environment: NodeJS.ProcessEnv,
  roles: ReadonlySet<Role>,
  told: ReadonlySet<string> = new Set(),
): ReadSettings {
  try {
    const env = readEnv(environment, holdsProviderKeys(roles) ? KEY_VARIABLES : []);
    return { env, broken: new Set(), checks: [ok('settings', 'the environment can be used')] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const broken = new Set(error.problems.map(({ name }) => nameOf(name)));
    const rest = readSettings(without(environment, broken), roles, told.union(broken));
    const checks = [
      ...problemsOf('settings', { problems: error.problems.filter(({ name }) => !told.has(nameOf(name))) }),
      ...rest.checks.filter(({ status }) => status !== 'ok'),
    ];
    return { env: rest.env, broken: broken.union(rest.broken), checks };
  }
}

/** A check for each thing that is wrong with settings. */
export function problemsOf(name: string, error: Pick<SettingsError, 'problems'>): Check[] {
  return error.problems.map((found) => problem(name, detailOf(found), `${found.name} ${found.remedy}`));
}

const detailOf = ({ name, value }: SettingsProblem): string => (value === null ? `${name} cannot be used` : `${name} is ${value}`);

/** Without the ending of a variable that names a file. */
const nameOf = (variable: string): string => variable.replace(/_FILE$/, '');

const LOGIN: ReadonlySet<string> = new Set(NATS_LOGIN_VARIABLES.map(nameOf));

/**
 * Leaves out the unusable variables, and with one of the login at NATS all of it, since what is named may be the missing half of a pair. If nothing
 * of this is set, a time limit contradicts a default: then all time limits are left out. If that was not it either, nothing is left, so that the next
 * try differs from this one in any case.
 */
function without(environment: NodeJS.ProcessEnv, broken: ReadonlySet<string>): NodeJS.ProcessEnv {
  const unusable = LOGIN.isDisjointFrom(broken) ? broken : broken.union(LOGIN);
  const all = Object.entries(environment);
  const usable = all.filter(([name]) => !unusable.has(nameOf(name)));
  if (usable.length < all.length) return Object.fromEntries(usable);
  const timeless = all.filter(([name]) => !name.endsWith('_MS'));
  return timeless.length < all.length ? Object.fromEntries(timeless) : {};
}
