import { UNKNOWN_KEY, type MasterKeyUse } from '@lib/store/sealing/rewrap';
import { withDatabase } from './with-database';

export async function rewrapCommand({ status }: { status?: boolean }): Promise<void> {
  await withDatabase(async ({ store: { rewrapping } }) => {
    let retired: string[] = [];
    if (!status) {
      console.log(`${await rewrapping.rewrap()} keys and texts were brought under the newest master key.`);
      retired = await rewrapping.retire();
    }
    const [newest, ...older] = await rewrapping.uses();
    if (newest) console.log(lineOf(newest, 'the newest'));
    for (const use of older) console.log(lineOf(use, stateOf(use, retired)));
  });
}

const lineOf = ({ kekId, threads, webhooks, runs }: MasterKeyUse, state: string): string =>
  `${kekId}\tthreads ${threads}\twebhooks ${webhooks}\truns ${runs}\t${state}`;

function stateOf({ kekId, threads, webhooks, runs, isUnused }: MasterKeyUse, retired: readonly string[]): string {
  if (kekId === UNKNOWN_KEY) return 'sealed under a key that is not in MASTER_KEYS, or changed since';
  if (retired.includes(kekId)) return 'retired: take it out of MASTER_KEYS everywhere, then destroy it';
  // A retired key leaves no trace, so it cannot be told from a key that is not in use yet.
  if (isUnused)
    return 'not in use yet if it is a new key: keep it; retired if it is an old one: take it out of MASTER_KEYS everywhere, then destroy it';
  if (threads + webhooks + runs > 0) return 'in use: run `research rewrap`';
  return 'nothing is sealed under it: run `research rewrap` again in 24 hours, since requests with an Idempotency-Key are recognized by it until then';
}
