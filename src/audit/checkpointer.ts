import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { parseCheckpoint, textOfCheckpoint, type Head } from '@lib/audit/checkpoint';
import { keyIdOf, parseNote, signedNote, signerKey, signersOf, type SignerKey } from '@lib/audit/signed-note';
import {
  checkpointKeys,
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
import type { Pool } from '@lib/store/postgres/pool';
import { publishedIn, publishTo } from './checkpoint-folder';
import { sequence } from './sequencer';
import { rootOfSize } from './stored-tree';
import { WitnessClient } from './witness-client';
import { killPoint } from '../kill-point';
import type { CheckpointSettings } from './checkpoint-settings';

/** What was told to the world of a log, with the note that says it. */
interface Published {
  head: Head;
  note: string;
}

/**
 * Signs the log's root and publishes it. It never signs what contradicts a checkpoint that it can know of: if the log is not what such a
 * checkpoint says, or may not be because the database is another one than before, it opens a new log, whose checkpoints name the old one.
 */
export class Checkpointer {
  private readonly witnesses: WitnessClient[];
  /** What this process signed last. */
  private signed: Published | null = null;
  private isBehindWitness = false;

  constructor(
    private readonly pool: Pool,
    private readonly settings: CheckpointSettings,
    private readonly logger: Pick<Logger, 'warn' | 'info'>,
  ) {
    this.witnesses = settings.witnesses.map((witness) => new WitnessClient(witness));
  }

  /** Unless another process signed the log a moment ago. */
  async signIfDue(pauseMs: number): Promise<void> {
    const latest = await latestCheckpoint(this.pool);
    if (latest === null || Date.now() - latest.signedAt.getTime() > pauseMs / 2) await this.sign();
  }

  /**
   * Signs what the log has now. If nothing has come to it, the checkpoint before stands.
   * @param behind a checkpoint that the database was restored behind: a new log is opened
   */
  async sign(behind: string | null = null): Promise<StoredCheckpoint> {
    const log = await this.openLog(behind);
    const size = await logSize(this.pool);
    const newest = await newestCheckpoint(this.pool, log.origin);
    if (newest?.size !== size) await this.save(log, size);
    killPoint('checkpoint.after-save');
    const checkpoint = (await newestCheckpoint(this.pool, log.origin)) as StoredCheckpoint;
    this.signed = publishedBy(checkpoint.note);
    await this.publish(checkpoint);
    return checkpoint;
  }

  private async save({ origin, predecessor }: LogOrigin, size: number): Promise<void> {
    const signedAt = new Date();
    const text = textOfCheckpoint({
      ...{ origin, size, root: await rootOfSize(this.pool, size), time: signedAt.toISOString() },
      predecessor: predecessor === null ? null : publishedBy(predecessor).head,
    });
    const keys = this.keysFor(origin);
    killPoint('checkpoint.before-save');
    await saveCheckpoint(
      this.pool,
      { origin, size, note: signedNote(text, keys), signedAt },
      keys.map((key) => ({ name: key.name, keyId: keyIdOf(key), publicKey: key.publicKey })),
    );
  }

  private keysFor(origin: string): SignerKey[] {
    return this.settings.keys.map((seed) => signerKey(origin, seed));
  }

  /** The log to sign, which may be a new one. */
  private async openLog(behind: string | null): Promise<LogOrigin> {
    const { cluster } = await clusterOf(this.pool);
    const logs = await logOrigins(this.pool);
    const current = logs.at(-1);
    const published = behind === null ? await this.newestPublished() : await this.requireOurs(behind);
    if (!current) return this.openNext(0, cluster, published);
    const isKnown = published === null || logs.some(({ origin }) => origin === published.head.origin);
    if (behind !== null || !isKnown) return this.openNext(current.number, cluster, published);
    const stored = await newestCheckpoint(this.pool, current.origin);
    const heads = [published?.head.origin === current.origin ? published : null, stored && publishedBy(stored.note)];
    for (const told of heads) {
      if (told && !(await this.continues(told.head))) return this.openNext(current.number, cluster, told);
    }
    const isProved = stored === null || (published?.head.origin === current.origin && !this.isBehindWitness);
    if (current.cluster !== cluster && isProved) await moveOrigin(this.pool, current.number, cluster);
    const mayHaveLost = (current.cluster !== cluster && !isProved) || this.isBehindWitness;
    return mayHaveLost && stored ? this.openNext(current.number, cluster, publishedBy(stored.note)) : current;
  }

  /** Of what this process signed and what lies in the folder: the larger one. */
  private async newestPublished(): Promise<Published | null> {
    const { folder } = this.settings;
    const note = folder === null ? null : await publishedIn(folder);
    const inFolder = note === null ? null : await this.ours(note);
    if (!inFolder || !this.signed) return inFolder ?? this.signed;
    return inFolder.head.size > this.signed.head.size ? inFolder : this.signed;
  }

  /** A note that a key of ours signed; null for any other. */
  private async ours(note: string): Promise<Published | null> {
    try {
      const published = publishedBy(note);
      const stored = (await checkpointKeys(this.pool)).map(({ name, publicKey }) => ({ name, publicKey, type: 1 as const }));
      const signers = signersOf(parseNote(note), [...this.keysFor(published.head.origin), ...stored]);
      return signers && signers.length > 0 ? published : null;
    } catch {
      return null;
    }
  }

  private async requireOurs(note: string): Promise<Published> {
    const published = await this.ours(note);
    if (!published) throw new Error('the checkpoint is not one that a key of this log has signed');
    return published;
  }

  /** Whether the log still begins as that checkpoint says. */
  private async continues({ size, root }: Head): Promise<boolean> {
    return size <= (await logSize(this.pool)) && (await rootOfSize(this.pool, size)).equals(root);
  }

  private async openNext(number: number, cluster: string, predecessor: Published | null): Promise<LogOrigin> {
    const { origin: base } = this.settings;
    // A name that no restore can bring back. The very first log has the name alone.
    const origin = number === 0 && predecessor === null ? base : `${base}/${randomBytes(4).toString('hex')}`;
    await openOrigin(this.pool, { number: number + 1, origin, cluster, predecessor: predecessor?.note ?? null });
    const opened = (await logOrigins(this.pool)).at(-1) as LogOrigin;
    this.signed = null;
    this.isBehindWitness = false;
    const told = { reason: 'log_opened', origin: opened.origin, size: opened.size, predecessor: predecessor?.head.origin };
    if (predecessor === null) this.logger.info({ ...told }, 'a log of all events was opened');
    else
      this.logger.warn(
        { ...told, predecessorSize: predecessor.head.size },
        'the log is not, or cannot be shown to be, what its newest published checkpoint says: a new one was opened, whose checkpoints name the old one',
      );
    return opened;
  }

  /** What fails here is tried again with the next checkpoint. */
  private async publish(checkpoint: StoredCheckpoint): Promise<void> {
    const { folder } = this.settings;
    const { note, signedAt } = checkpoint;
    try {
      if (folder !== null && (await publishedIn(folder)) !== note) await publishTo(folder, note, signedAt);
    } catch (error) {
      this.logger.warn({ reason: 'checkpoint_not_written', folder, err: error }, 'a checkpoint could not be written to CHECKPOINT_DIR');
    }
    await Promise.all(this.witnesses.map((witness) => this.askWitness(witness, checkpoint)));
  }

  private async askWitness(witness: WitnessClient, checkpoint: StoredCheckpoint): Promise<void> {
    const told = { reason: 'checkpoint_not_cosigned', witness: witness.key.name, size: checkpoint.size };
    try {
      const witnessed = await witness.cosign(this.pool, checkpoint);
      if (witnessed === 'ahead') {
        this.isBehindWitness = true;
        this.logger.warn(told, 'a witness has seen a larger log: the next checkpoint opens a new one');
      } else if (witnessed !== 'cosigned') {
        this.logger.warn({ ...told, refused: witnessed.refused }, 'a witness did not cosign a checkpoint');
      }
    } catch (error) {
      this.logger.warn({ ...told, err: error }, 'a witness could not be asked to cosign a checkpoint');
    }
  }
}

/** @throws Error if it is no checkpoint */
function publishedBy(note: string): Published {
  return { head: parseCheckpoint(parseNote(note).text), note };
}

/** Brings the log up to date and signs it. */
export async function checkpointNow(pool: Pool, checkpointer: Checkpointer, behind: string | null): Promise<StoredCheckpoint> {
  await sequence(pool, 'the beginning');
  return checkpointer.sign(behind);
}
