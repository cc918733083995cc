import type { Logger } from 'pino';
import { applyDeletions } from '@lib/store/deletions/apply-deletions';
import { requireDeletionFolder, type ListedDeletion } from '@lib/store/deletions/deletion-list';
import { readDeletions } from '@lib/store/deletions/read-deletions';
import { asStoreError, isOutage } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import { readNamed } from './folders';
import { answered } from './runtime/hanging-files';
import { startRounds } from './runtime/rounds';

/** Pause between two looks: for this long a thread that came back can be visible. */
const ROUND_MS = 2_000;
const NOT_APPLIED = 'the database is another server, and the deletion list could not be applied to it; it is tried again in two seconds';

const VARIABLE = 'DELETION_LIST';

/**
 * The deletions of a list.
 * @param name how the operator named it
 * @throws Error that names a list which cannot be read, also where its machine does not answer
 */
export const readList = (path: string, name: string): AsyncGenerator<ListedDeletion> =>
  readDeletions(path, (call) => readNamed(name, path, () => answered(`${name} ${path}`, call)));

/**
 * Deletes again what a restored backup brought back, or a standby that lacked the last deletions. Both are a different server, which may take over
 * while this process runs.
 */
export class ListedDeletions {
  /** Start time of the server to which the list was applied last. */
  private appliedTo: string | null = null;

  constructor(
    private readonly store: Store,
    private readonly folder: string,
    private readonly logger: Logger,
  ) {}

  /** @throws Error if the folder cannot be used, or the list or the database cannot be read */
  async apply(): Promise<void> {
    const server = await this.serverStart();
    await answered(`${VARIABLE} ${this.folder}`, () => requireDeletionFolder(this.folder));
    const { deleted, used } = await applyDeletions(this.store, readList(this.folder, VARIABLE));
    this.appliedTo = server;
    if (deleted.length > 0)
      this.logger.warn(
        { reason: 'deleted_again', threads: deleted.length },
        'threads of the deletion list were there again, and were deleted',
      );
    if (used.length > 0)
      this.logger.warn(
        { reason: 'deletion_doubtful', threadIds: used },
        'threads of the deletion list were written to later, and were not deleted',
      );
  }

  /** Applies the list to each server that takes over. @returns a function that stops it */
  start(): () => Promise<void> {
    return startRounds(() => this.look(), ROUND_MS);
  }

  private async look(): Promise<void> {
    try {
      if ((await this.serverStart()) !== this.appliedTo) await this.apply();
    } catch (error) {
      // An outage is already reported by all other parts.
      if (!isOutage(asStoreError(error)))
        this.logger.warn({ reason: 'deletions_not_applied', folder: this.folder, err: error }, NOT_APPLIED);
    }
  }

  private async serverStart(): Promise<string | null> {
    const { rows } = await this.store.pool.query<{ at: string }>('select pg_postmaster_start_time()::text as at');
    return rows[0]?.at ?? null;
  }
}
