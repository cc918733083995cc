import type { Env } from '@lib/settings/env';
import { NATS_LOGIN_VARIABLES } from '@lib/settings/nats-login';
import type { ProvidersFile } from '@lib/settings/providers-file';
import { isEverything, needsDatabase, type Role } from '../roles';
import type { Check, Findings } from './check';
import { checkClocks } from './clocks';
import { checkDataFolder, checkFoldersOutside } from './files';
import { checkApis } from './live';
import { checkNats } from './nats';
import { checkDatabase } from './postgres';
import { checkKeys, checkPrices, checkReserves, checkServed, checkSurroundings, checkSynthesis, readFile } from './providers';
import { readSettings } from './settings';

export interface ExamineOptions {
  environment: NodeJS.ProcessEnv;
  /** The roles of the process that is examined. */
  roles: ReadonlySet<Role>;
  /** Also make free calls to the providers' APIs. */
  live: boolean;
  today: Date;
}

const NOTHING: Findings = { checks: [] };

/** Checks everything that the roles need at their start. Continues after problems, and changes nothing. */
export async function examine({ environment, roles, live, today }: ExamineOptions): Promise<Check[]> {
  const { env, broken, checks: settings } = readSettings(environment, roles);
  const knows = (...variables: string[]): boolean => !variables.some((name) => broken.has(name));
  const { file, checks: unusable } = knows('PROVIDERS_FILE') ? readFile(env, roles) : { file: null, checks: [] };
  const served = file !== null && roles.has('worker') ? file.providers : null;
  const folder = isEverything(roles) ? [await checkDataFolder(env)] : [];
  const hasPlace = env.DATABASE_URL !== undefined || folder.every(({ status }) => status === 'ok');
  const [inspected, database, nats, apis, outside] = await Promise.all([
    served ? checkSurroundings(served, env) : [],
    needsDatabase(roles) && hasPlace && knows('DATABASE_URL', 'DATA_DIR', 'MASTER_KEY') ? checkDatabase(env, roles) : NOTHING,
    knows('NATS_URL', ...NATS_LOGIN_VARIABLES.map((name) => name.replace(/_FILE$/, ''))) ? checkNats(env, roles) : [],
    live && served ? checkApis(served, env) : NOTHING,
    checkFoldersOutside(env, roles),
  ]);
  return [
    ...settings,
    ...unusable,
    ...(file ? checkFile(file, env, roles, today) : []),
    checkKeys(env, roles),
    ...apis.checks,
    ...inspected,
    ...folder,
    ...outside,
    ...database.checks,
    ...nats,
    ...checkClocks([...(database.clocks ?? []), ...(apis.clocks ?? [])]),
  ];
}

function checkFile(file: ProvidersFile, env: Env, roles: ReadonlySet<Role>, today: Date): Check[] {
  return [
    ...checkServed(file.providers, env, roles),
    checkSynthesis(file, env, roles),
    checkPrices(file, today),
    checkReserves(file.providers, env.BUDGET_CAPS),
  ];
}
