import { resolve } from 'node:path';

import { validateSync } from 'class-validator';

import { messageOfError } from '@lib/domain/message-of-error';

import { parseCheckpointKeys, parseWitnesses } from './checkpoint-settings';
import { parseDatabaseUrl } from './database-url';
import { Env, GROUPS, type Variable } from './env';
import { contradictions } from './env-contradictions';
import {
  parseApiKey,
  parseBasePath,
  parseBudgetCaps,
  parseInteger,
  parseMasterKey,
  parseMasterKeys,
  parseOrigins,
  parsePepper,
  parsePercent,
  parseProviders,
  parseTenants,
  parseUrls,
} from './env-values';
import { parseLimits, parseNetworks } from './limits';
import { readNatsLogin } from './nats-login';
import { readProviderKeys } from './provider-keys';
import { readSecret } from './secrets';
import { printable, SettingsError, type SettingsProblem } from './settings-error';
import { readTraceSettings } from './trace-settings';

const VARIABLES = Object.keys(new Env()).filter((name) => !GROUPS.some((group) => group === name)) as Variable[];

const SECRETS: ReadonlySet<Variable> = new Set([
  'DATABASE_URL',
  'NATS_URL',
  'MASTER_KEY',
  'MASTER_KEYS',
  'API_KEY_PEPPER',
  'BOOTSTRAP_API_KEY',
  'CHECKPOINT_KEY',
]);

/** Parsers of variables that are not plain strings. The message of a thrown error is the remedy. */
const PARSERS: { [Name in Variable]?: (text: string, standard: Env[Name], environment: NodeJS.ProcessEnv) => Env[Name] } = {
  ADMIN_PORT: parseInteger,
  METRICS_TENANTS: parseTenants,
  BASE_PATH: parseBasePath,
  CORS_ORIGINS: parseOrigins,
  DATA_DIR: (path) => resolve(path),
  CACHE_DIR: (path) => resolve(path),
  DATABASE_URL: (text, _, environment) => parseDatabaseUrl(text, environment),
  NATS_URL: (text) => parseUrls(text, ['nats:', 'tls:'], 16),
  DELETION_LIST: (path) => resolve(path),
  CORPUS_DIR: (path) => resolve(path),
  PROVIDERS_FILE: (path) => resolve(path),
  MASTER_KEY: parseMasterKey,
  MASTER_KEYS: parseMasterKeys,
  API_KEY_PEPPER: parsePepper,
  BOOTSTRAP_API_KEY: parseApiKey,
  WORKER_PROVIDERS: parseProviders,
  CHECKPOINT_KEY: parseCheckpointKeys,
  CHECKPOINT_DIR: (path) => resolve(path),
  CHECKPOINT_WITNESSES: parseWitnesses,
  BUDGET_CAPS: parseBudgetCaps,
  MARKUP_PERCENT: parsePercent,
  TENANT_LIMITS: parseLimits,
  KEY_LIMITS: parseLimits,
  TRUSTED_PROXIES: parseNetworks,
};

/**
 * Reads the environment. No other code does.
 * @param keyVariables variables with keys of providers; none for a process that must not hold any
 * @throws SettingsError with everything that is wrong
 */
export function readEnv(environment: NodeJS.ProcessEnv, keyVariables: readonly string[] = []): Env {
  const env = new Env();
  const problems: SettingsProblem[] = [];
  const texts = new Map<string, string>();
  for (const name of VARIABLES) {
    const text = SECRETS.has(name) ? readSecret(name, environment, problems) : environment[name]?.trim() || undefined;
    if (text === undefined) continue;
    texts.set(name, text);
    problems.push(...assign(env, name, text, environment));
  }
  env.natsLogin = readNatsLogin(environment, env.NATS_URL, problems);
  env.traces = readTraceSettings(environment, problems);
  env.providerKeys = readProviderKeys(keyVariables, environment, problems);
  problems.push(...violations(env, texts));
  if (problems.length === 0)
    problems.push(...contradictions(env).map(([name, remedy]) => problem(name, texts.get(name) ?? JSON.stringify(env[name]), remedy)));
  if (problems.length > 0) throw new SettingsError('The environment', problems);
  return env;
}

function assign<Name extends Variable>(env: Env, name: Name, text: string, environment: NodeJS.ProcessEnv): SettingsProblem[] {
  const parse = PARSERS[name];
  try {
    if (parse) env[name] = parse(text, env[name], environment);
    else Object.assign(env, { [name]: typeof env[name] === 'number' ? parseInteger(text) : text });
    return [];
  } catch (error) {
    return [problem(name, text, messageOfError(error))];
  }
}

function violations(env: Env, texts: ReadonlyMap<string, string>): SettingsProblem[] {
  return validateSync(env, { stopAtFirstError: true }).map(({ property, constraints }) =>
    problem(property, texts.get(property) ?? '', Object.values(constraints ?? {}).join('; ')),
  );
}

function problem(name: string, text: string, remedy: string): SettingsProblem {
  return { name, remedy, value: (SECRETS as ReadonlySet<string>).has(name) ? null : printable(text) };
}
