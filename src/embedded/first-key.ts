import type { Env } from '@lib/settings/env';
import { ensureKey } from '@lib/store/access/ensure-key';
import { generateKey } from '@lib/store/access/key-format';
import type { KeyStore } from '@lib/store/access/stored-key';
import { dataFiles, keptApiKey } from './data-folder';
import { keptSecret } from './kept-secret';

const FIRST_TENANT = 'default';

export interface FirstKey {
  keyText: string;
  /** File that holds it; null if the operator gave it. */
  file: string | null;
  created: boolean;
}

/** Makes sure that one API key works: the operator's `BOOTSTRAP_API_KEY`, or one that is created once and stored in the data folder. */
export async function firstKey(env: Env, store: KeyStore): Promise<FirstKey> {
  const file = dataFiles(env.DATA_DIR).apiKey;
  const kept = env.BOOTSTRAP_API_KEY ? null : keptSecret(file, () => generateKey().keyText);
  const keyText = env.BOOTSTRAP_API_KEY ?? keptApiKey(env) ?? '';
  await ensureKey(store, keyText, FIRST_TENANT);
  return { keyText, file: kept && file, created: kept?.created ?? false };
}
