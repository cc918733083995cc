import { DAY_MS } from '@lib/domain/durations';
import { BUDGET_TIERS, PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';
import { adapterNamed, ADAPTERS, inspectAdapters, KEY_VARIABLES } from '@lib/providers/registry';
import type { Env } from '@lib/settings/env';
import { missingKey } from '@lib/settings/provider-keys';
import type { ProviderSettings } from '@lib/settings/provider-settings';
import { readProvidersFile, type ProvidersFile } from '@lib/settings/providers-file';
import { SettingsError } from '@lib/settings/settings-error';
import { holdsProviderKeys, isEverything, type Role } from '../roles';
import { ok, problem, warning, type Check } from './check';
import { problemsOf } from './settings';

type Served = ProvidersFile['providers'];
type Dated = readonly [name: string, priceDate: string | null];

const OLDEST_PRICES_DAYS = 90;

/** Reads the providers file as the roles do; null with the reasons if it is unusable. */
export function readFile(env: Env, roles: ReadonlySet<Role>): { file: ProvidersFile | null; checks: Check[] } {
  try {
    return { file: readProvidersFile(env.PROVIDERS_FILE, ADAPTERS, isEverything(roles) ? env.providerKeys : null), checks: [] };
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return { file: null, checks: problemsOf('providers file', error) };
  }
}

/** One check for each identifier. Looks for keys only if a worker is among the roles. */
export function checkServed(served: Served, env: Env, roles: ReadonlySet<Role>): Check[] {
  return PROVIDERS.map((provider) => {
    const { adapter, model, key } = served[provider];
    const what = [adapter, model, elsewhere(served[provider])].filter((part) => part !== null).join(' ');
    if (!roles.has('worker')) return ok(provider, what);
    if (!env.WORKER_PROVIDERS.includes(provider)) return ok(provider, `${what}; not served here, see WORKER_PROVIDERS`);
    const missing = missingKey(key, env.providerKeys);
    if (missing)
      return problem(provider, `${what}, and ${missing} is not set`, `Set ${missing}, or leave ${provider} out of WORKER_PROVIDERS.`);
    const { invents, origin } = adapterNamed(adapter);
    if (invents)
      return warning(provider, `${what}: its reports are invented`, `Name another adapter for ${provider} in the providers file.`);
    return ok(provider, origin ? `${what}: ${origin}` : what);
  });
}

/** The address of an API if it is not the default. */
function elsewhere({ adapter, options }: ProviderSettings): string | null {
  const standard = new (adapterNamed(adapter).Options)();
  const isOwn = !('baseUrl' in options) || ('baseUrl' in standard && options.baseUrl === standard.baseUrl);
  return isOwn ? null : `at ${String(options.baseUrl)}`;
}

/** Lists the names of variables, never their values. */
export function checkKeys(env: Env, roles: ReadonlySet<Role>): Check {
  if (!holdsProviderKeys(roles)) return ok('keys', 'none is needed: these roles call no API');
  const list = (isSet: boolean): string =>
    KEY_VARIABLES.filter((name) => (env.providerKeys[name] !== undefined) === isSet).join(', ') || 'none';
  return ok('keys', `set: ${list(true)}; not set: ${list(false)}`);
}

/** The model that writes summaries of reports. */
export function checkSynthesis({ synthesis }: ProvidersFile, env: Env, roles: ReadonlySet<Role>): Check {
  if (synthesis === null) return ok('synthesis', 'without a model, free of charge');
  const { adapter, model, key } = synthesis;
  const missing = roles.has('synthesizer') ? missingKey(key, env.providerKeys) : undefined;
  if (!missing) return ok('synthesis', `${adapter} ${model}`);
  return problem(
    'synthesis',
    `${adapter} ${model}, and ${missing} is not set`,
    `Set ${missing}, or take synthesis out of the providers file.`,
  );
}

/** @param today day by which the age of prices is judged */
export function checkPrices({ providers, synthesis }: ProvidersFile, today: Date): Check {
  const real = PROVIDERS.filter((provider) => providers[provider].key !== null);
  const dated: Dated[] = real.map((provider) => [provider, providers[provider].priceDate]);
  if (synthesis) dated.push(['synthesis', synthesis.priceDate]);
  const ages = dated.map(([name, date]): [string, number] => {
    return [name, date === null ? Number.NaN : Math.floor((today.getTime() - Date.parse(date)) / DAY_MS)];
  });
  const doubtful = ages.filter(([, days]) => !(days >= -1 && days <= OLDEST_PRICES_DAYS));
  if (doubtful.length > 0) {
    const remedy = `Compare prices, models and reserves with the providers' own pages, then set priceDate in the providers file.`;
    return warning('prices', doubtful.map(([name, days]) => `${name}: ${ageOf(days)}`).join(', '), remedy);
  }
  const oldest = Math.max(0, ...ages.map(([, days]) => days));
  return ok('prices', ages.length === 0 ? 'none: no real API is in use' : `the oldest are ${oldest} days old`);
}

function ageOf(days: number): string {
  if (Number.isNaN(days)) return 'without a date';
  return days < 0 ? 'of a day to come' : `${days} days old`;
}

/** Checks that each identifier fits under a cap, and from which tier on. */
export function checkReserves(served: Served, caps: Env['BUDGET_CAPS']): Check {
  const smallest = PROVIDERS.map((provider): [ProviderId, BudgetTier | undefined] => {
    return [provider, BUDGET_TIERS.find((tier) => caps[tier] >= served[provider].minReserveCents)];
  });
  const never = smallest.filter(([, tier]) => tier === undefined);
  if (never.length > 0) {
    const detail = never.map(([provider]) => `${provider} reserves at least ${served[provider].minReserveCents} cents`).join(', ');
    const remedy = `The largest cap is ${Math.max(...Object.values(caps))} cents: raise BUDGET_CAPS, or lower minReserveCents.`;
    return problem('reserves', detail, remedy);
  }
  const [least] = BUDGET_TIERS;
  const later = smallest.filter(([, tier]) => tier !== least).map(([provider, tier]) => `${provider} from ${tier} on`);
  return ok('reserves', later.length === 0 ? 'every identifier fits under every cap' : `every budget will do, but ${later.join(', ')}`);
}

/** What a worker's start asks too: it fails on each of these problems. */
export async function checkSurroundings(served: Served, env: Env): Promise<Check[]> {
  const inspections = await inspectAdapters(
    env.WORKER_PROVIDERS.map((provider) => served[provider]),
    { corpusDir: env.CORPUS_DIR },
  );
  return inspections.map(({ adapter, detail, remedy }) => (remedy === null ? ok(adapter, detail) : problem(adapter, detail, remedy)));
}
