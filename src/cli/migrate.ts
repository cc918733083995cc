import type { Env } from '@lib/settings/env';
import { readEnv } from '@lib/settings/read-env';
import { mustSealKeys, sealKeys } from '@lib/store/access/seal-keys';
import { applyDeletions } from '@lib/store/deletions/apply-deletions';
import { migrate } from '@lib/store/postgres/migrations';
import type { Pool } from '@lib/store/postgres/pool';
import { openOperatorPool } from '../database';
import { givenPepper } from '../embedded/data-folder';
import { appliedText } from './deletions';
import { operatorMeta } from './operator-meta';
import { plainEventsRemark } from './plain-events-text';
import { readList } from '../listed-deletions';
import { withDatabase } from './with-database';

/** What earlier builds recorded is counted over all events, for no longer than an upgrade may wait for it. */
const STATEMENT_MS = 60_000;

export async function migrateCommand(): Promise<void> {
  const env = readEnv(process.env);
  await withOwnPool(env, async (pool, url) => {
    const done = await migrate(url, { tell: (line) => console.error(line) });
    console.log(done.length > 0 ? `Applied ${done.join(', ')}.` : 'The schema is up to date.');
    const sealed = await sealEarlierKeys(env, pool);
    if (sealed.length > 0)
      console.log(`Sealed ${sealed.length} keys of an earlier build, with every scope but admin: ${sealed.join(', ')}.`);
    const remains = await plainEventsRemark(pool);
    if (remains !== null) console.log(remains);
  });
  const { DELETION_LIST: deletionList } = env;
  if (deletionList)
    await withDatabase(async ({ store }) => console.log(appliedText(await applyDeletions(store, readList(deletionList, 'DELETION_LIST')))));
}

/** The schema needs no secret, so none is made for it. */
async function withOwnPool(env: Env, use: (pool: Pool, url: string) => Promise<void>): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const { url, pool } = await openOperatorPool(env, closing, 2, STATEMENT_MS);
  await use(pool, url);
}

/** Takes the pepper; without it only if there is nothing to seal. */
async function sealEarlierKeys(env: Env, pool: Pool): Promise<string[]> {
  const pepper = givenPepper(env);
  if (pepper !== null) return sealKeys({ pool, pepper }, operatorMeta());
  if (!(await mustSealKeys({ pool }))) return [];
  throw new Error(
    'API_KEY_PEPPER is not set, and the keys of an earlier build are refused until they are sealed under it: ' +
      'set the API_KEY_PEPPER of the service (or API_KEY_PEPPER_FILE) and run this again.',
  );
}
