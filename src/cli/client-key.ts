import { resolve } from 'node:path';
import type { Env } from '@lib/settings/env';
import { dataFiles, keptApiKey } from '../embedded/data-folder';
import { shellWord } from '../shell-word';

/** The key that a command uses as a client of the service: `API_KEY`, or the first key of the embedded default. */
export const keyOfClient = (env: Env): string | null | undefined => givenKey() ?? env.BOOTSTRAP_API_KEY ?? keptApiKey(env);

/** Empty counts as unset, as for every other variable. */
const givenKey = (): string | undefined => process.env.API_KEY?.trim() || undefined;

/** The variable or file that it is read from. */
export function sourceOfClientKey(env: Env): string {
  return variableOfClientKey(env) ?? resolve(dataFiles(env.DATA_DIR).apiKey);
}

/** The same key as a shell says it, without showing it. */
export function shellKeyOfClient(env: Env): string {
  const variable = variableOfClientKey(env);
  return variable === null ? `$(cat ${shellWord(sourceOfClientKey(env))})` : `$${variable}`;
}

function variableOfClientKey(env: Env): string | null {
  if (givenKey() !== undefined) return 'API_KEY';
  return env.BOOTSTRAP_API_KEY ? 'BOOTSTRAP_API_KEY' : null;
}
