import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { textOfCheckpoint, type Head } from '@lib/audit/format/checkpoint';
import { keyIdOf, signedNote } from '@lib/audit/format/signed-note';
import {
  latestCheckpoint,
  logOrigins,
  moveOrigin,
  newestCheckpoint,
  openOrigin,
  saveCheckpoint,
  type LogOrigin,
  type StoredCheckpoint,
} from '@lib/store/log/checkpoints';
import { clusterOf } from '@lib/store/log/cluster';
import { logSize } from '@lib/store/log/log-hashes';
import { databaseTime } from '@lib/store/postgres/database-time';
import type { Pool } from '@lib/store/postgres/pool';
import { CheckpointPublisher } from './checkpoint-publisher';
import { signReceipts } from './deletion-receipts';
import { publishedBy, type Published } from './published';
import { sequence } from './sequencer';
import { requireKnownKey } from './signing-keys';
import { BrokenLog, rootOfSize } from './stored-tree';
import { requireTreeOfEvents, rootWithEvents } from './tree-of-events';
import { killPoint } from '../runtime/kill-point';
import type { CheckpointSettings } from './checkpoint-settings';

/** For so long a damaged tree is taken to be damaged still. */
const DAMAGED_FOR_MS = 10 * 60_000;

/**
 * Signs the log's root and publishes it. It never signs anything that contradicts a checkpoint that it can know of. If the log does not match such a
 * checkpoint, or may not because the database was replaced (a restore, a standby), it opens a new log, whose checkpoints name the old one.
 */
export class Checkpointer {
  private readonly publisher: CheckpointPublisher;
  /** What this process signed last. */
  private signed: Published | null = null;
  /** What the last look at the whole tree found. */
  private damage: { error: BrokenLog; until: number } | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly settings: CheckpointSettings,
    private readonly logger: Pick<Logger, 'warn' | 'info'>,
  ) {
    this.publisher = new CheckpointPublisher(pool, settings, logger);
  }

  /** Whether it or a later one lies in the folder, or there is no folder. */
  isPublished(checkpoint: StoredCheckpoint): Promise<boolean> {
    return this.publisher.isPublished(checkpoint);
  }

  /**
   * Signs, unless another process signed the log a moment ago. Then it publishes that checkpoint, because the other process may sign first each time
   * but have a full disk or no way to a witness. A checkpoint from the future only means that a clock was set back.
   * @param signal ends the wait for witnesses and leaves receipts to the next checkpoint
   * @throws Error also while another process signs, if the keys are not the ones that signed before
   */
  async signIfDue(pauseMs: number, signal?: AbortSignal): Promise<void> {
    await this.requireKnownKey();
    const latest = await latestCheckpoint(this.pool);
    const now = await databaseTime(this.pool);
    if (latest === null || Math.abs(now.getTime() - latest.signedAt.getTime()) > pauseMs / 2) await this.signAsKnown(null, signal);
    else await this.publisher.publish(latest, signal);
  }

  /**
   * Signs the current log. If nothing was added since, the previous checkpoint remains the newest.
   * @param behind a checkpoint that the database was restored behind: a new log is opened
   */
  async sign(behind: string | null = null, signal?: AbortSignal): Promise<StoredCheckpoint> {
    await this.requireKnownKey();
    return this.signAsKnown(behind, signal);
  }

  private async signAsKnown(behind: string | null, signal: AbortSignal | undefined): Promise<StoredCheckpoint> {
    const log = await this.openLog(behind, signal);
    const size = await logSize(this.pool);
    const newest = await newestCheckpoint(this.pool, log.origin);
    if (newest === null || newest.size < size) await this.save(log, { size, root: await this.ownRoot(newest?.size ?? 0, size, signal) });
    killPoint('checkpoint.after-save');
    const checkpoint = await newestCheckpoint(this.pool, log.origin);
    if (!checkpoint) throw new Error(`the log ${log.origin} is no longer the newest one: it is not signed`);
    this.signed = publishedBy(checkpoint.note);
    await this.publisher.publish(checkpoint, signal);
    await signReceipts(this.pool, checkpoint, { keys: this.publisher.keysFor(checkpoint.origin), logger: this.logger, signal });
    return checkpoint;
  }

  private requireKnownKey(): Promise<void> {
    return requireKnownKey(this.pool, this.settings.keys, this.settings.isNewKey ?? false);
  }

  private async save({ origin, predecessor }: LogOrigin, { size, root }: { size: number; root: Buffer }): Promise<void> {
    const signedAt = await databaseTime(this.pool);
    const text = textOfCheckpoint({
      ...{ origin, size, root, time: signedAt.toISOString() },
      predecessor: predecessor === null ? null : publishedBy(predecessor).head,
    });
    const keys = this.publisher.keysFor(origin);
    killPoint('checkpoint.before-save');
    await saveCheckpoint(
      this.pool,
      { origin, size, note: signedNote(text, keys), signedAt },
      keys.map((key) => ({ name: key.name, keyId: keyIdOf(key), publicKey: key.publicKey })),
    );
  }

  /** The log to sign, which may be a new one. */
  private async openLog(behind: string | null, signal: AbortSignal | undefined): Promise<LogOrigin> {
    const { cluster } = await clusterOf(this.pool);
    const logs = await logOrigins(this.pool);
    const current = logs.at(-1);
    const inFolder = await this.publisher.inFolder();
    const published = behind === null ? this.newest(inFolder) : await this.requireOurs(behind);
    if (!current) return this.openNext(0, cluster, published, signal);
    const isKnown = published === null || logs.some(({ origin }) => origin === published.head.origin);
    if (behind !== null && published?.head.origin === current.origin && (await this.continues(published.head))) {
      await this.requireOwnTree(signal);
      throw new Error('the log has everything that this checkpoint signs: nothing was lost, and no new log is opened');
    }
    if (behind !== null || !isKnown) return this.openNext(current.number, cluster, published, signal);
    const stored = await newestCheckpoint(this.pool, current.origin);
    const heads = [published?.head.origin === current.origin ? published : null, stored && publishedBy(stored.note)];
    for (const told of heads) {
      if (told && !(await this.continues(told.head))) return this.openNext(current.number, cluster, told, signal);
    }
    const isBehindWitness = this.publisher.isBehindWitness(current.origin);
    // The checkpoint that this process signed proves nothing here: another process may have signed a later one whose entries this database has lost.
    const isInFolder = inFolder?.head.origin === current.origin && inFolder.head.size >= (stored?.size ?? 0);
    const isProved = stored === null || (isInFolder && !isBehindWitness);
    if (current.cluster !== cluster && isProved) await moveOrigin(this.pool, current.number, cluster);
    const mayHaveLost = (current.cluster !== cluster && !isProved) || isBehindWitness;
    if (!mayHaveLost || !stored) return current;
    const opened = await this.openNext(current.number, cluster, publishedBy(stored.note), signal);
    if (isBehindWitness) this.publisher.openedForWitness(opened.origin);
    return opened;
  }

  /** Of what this process signed and what lies in the folder: the larger one. */
  private newest(inFolder: Published | null): Published | null {
    if (!inFolder || !this.signed) return inFolder ?? this.signed;
    return inFolder.head.size > this.signed.head.size ? inFolder : this.signed;
  }

  private async requireOurs(note: string): Promise<Published> {
    const published = await this.publisher.ours(note);
    if (!published) throw new Error('the checkpoint is not one that a key of this log has signed');
    return published;
  }

  /** Whether the log still begins as that checkpoint says. */
  private async continues({ size, root }: Head): Promise<boolean> {
    return size <= (await logSize(this.pool)) && (await rootOfSize(this.pool, size)).equals(root);
  }

  /** The root to sign, of a log whose entries before `after` were signed. @throws BrokenLog if the stored tree is not that of the events */
  private async ownRoot(after: number, size: number, signal: AbortSignal | undefined): Promise<Buffer> {
    const root = await rootWithEvents(this.pool, { after, size }, signal);
    if ((await rootOfSize(this.pool, size)).equals(root)) return root;
    await this.requireOwnTree(signal);
    throw new BrokenLog('the stored tree of the log had another root than its entries');
  }

  /**
   * Compares the whole tree with the events. A damaged one is not read again each time, since it may be large.
   * @throws BrokenLog that names the first fault
   */
  private async requireOwnTree(signal: AbortSignal | undefined): Promise<void> {
    if (this.damage !== null && performance.now() < this.damage.until) throw this.damage.error;
    try {
      await requireTreeOfEvents(this.pool, signal);
    } catch (error) {
      if (error instanceof BrokenLog) this.damage = { error, until: performance.now() + DAMAGED_FOR_MS };
      throw error;
    }
    this.damage = null;
  }

  /** @param number of the current log, or 0 */
  private async openNext(
    number: number,
    cluster: string,
    predecessor: Published | null,
    signal: AbortSignal | undefined,
  ): Promise<LogOrigin> {
    if (number > 0) await this.requireOwnTree(signal);
    const { origin: base } = this.settings;
    // A random name, so that no restore brings the same one back. Only the very first log has the plain name.
    const origin = number === 0 && predecessor === null ? base : `${base}/${randomBytes(4).toString('hex')}`;
    await openOrigin(this.pool, { number: number + 1, origin, cluster, predecessor: predecessor?.note ?? null });
    const opened = (await logOrigins(this.pool)).at(-1) as LogOrigin;
    this.signed = null;
    const told = { reason: 'log_opened', origin: opened.origin, size: opened.size, predecessor: predecessor?.head.origin };
    if (predecessor === null) this.logger.info({ ...told }, 'a log of all events was opened');
    else
      this.logger.warn(
        { ...told, predecessorSize: predecessor.head.size },
        'the log is not, or cannot be shown to be, what its newest published checkpoint says: a new one was opened, whose checkpoints name the old one',
      );
    return opened;
  }
}

/** Brings the log up to date and signs it. */
export async function checkpointNow(pool: Pool, checkpointer: Checkpointer, behind: string | null): Promise<StoredCheckpoint> {
  await sequence(pool, 'the beginning');
  return checkpointer.sign(behind);
}
