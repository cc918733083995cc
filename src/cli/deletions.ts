import { applyDeletions, recordedDeletions, type AppliedDeletions } from '@lib/store/deletions/apply-deletions';
import { deletionLine } from '@lib/store/deletions/deletion-list';
import { readEnv } from '@lib/settings/read-env';
import { openOperatorPool, requireSchema } from '../database';
import { readList } from '../listed-deletions';
import { MAX_STATEMENT_MS } from './operator-pool';
import { withDatabase } from './with-database';

/** Exit code if a listed thread was kept. */
const SOME_KEPT = 1;

export async function applyDeletionsCommand(path: string): Promise<void> {
  await withDatabase(async ({ store }) => {
    const applied = await applyDeletions(store, readList(path, 'The deletion list'));
    console.log(appliedText(applied));
    if (applied.used.length > 0) process.exitCode = SOME_KEPT;
  });
}

export async function exportDeletionsCommand(): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const { pool } = await openOperatorPool(readEnv(process.env), closing, 1, MAX_STATEMENT_MS);
  await requireSchema(pool);
  for await (const deletion of recordedDeletions(pool)) console.log(deletionLine(deletion));
}

export function appliedText({ listed, deleted, used }: AppliedDeletions): string {
  const doubtful = used.length > 0 ? `\nNot deleted, since they were written to after that: ${used.join(', ')}` : '';
  return `${deleted.length} of ${listed} listed threads were there and are deleted.${doubtful}`;
}
