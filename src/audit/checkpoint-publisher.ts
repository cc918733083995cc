import type { Logger } from 'pino';
import { signerKey, type SignerKey } from '@lib/audit/format/signed-note';
import { logOrigins, type StoredCheckpoint } from '@lib/store/log/checkpoints';
import type { Pool } from '@lib/store/postgres/pool';
import { publishedIn, publishTo } from './checkpoint-folder';
import type { CheckpointSettings } from './checkpoint-settings';
import { publishedByUs, type Published } from './published';
import { WitnessClient } from './witness-client';

/** Publishes checkpoints to the folder and to witnesses, and knows what they were sent before. What fails is tried again with the next checkpoint. */
export class CheckpointPublisher {
  private readonly witnesses: WitnessClient[];
  /** The log of which a witness has seen more entries than exist. */
  private logBehindWitness: string | null = null;
  private readonly logsOpenedForWitness = new Set<string>();
  private readonly disbelieved = new Set<WitnessClient>();

  constructor(
    private readonly pool: Pool,
    private readonly settings: CheckpointSettings,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.witnesses = settings.witnesses.map((witness) => new WitnessClient(witness));
  }

  keysFor(origin: string): SignerKey[] {
    return this.settings.keys.map((seed) => signerKey(origin, seed));
  }

  /** A note that a key of ours signed; null for any other. */
  ours(note: string): Promise<Published | null> {
    return publishedByUs(this.pool, (origin) => this.keysFor(origin), note);
  }

  /** The checkpoint of ours that lies in the folder. @throws Error if the folder cannot be read */
  async inFolder(): Promise<Published | null> {
    const { folder } = this.settings;
    const note = folder === null ? null : await publishedIn(folder);
    return note === null ? null : this.ours(note);
  }

  /** Whether it or a later one lies in the folder, or there is no folder. @throws Error if the folder cannot be read */
  async isPublished(checkpoint: StoredCheckpoint): Promise<boolean> {
    return this.settings.folder === null || (await this.isInFolder(checkpoint));
  }

  isBehindWitness(origin: string): boolean {
    return this.logBehindWitness === origin;
  }

  /** A new log was opened because a witness had seen more of the one before. */
  openedForWitness(origin: string): void {
    this.logsOpenedForWitness.add(origin);
  }

  async publish(checkpoint: StoredCheckpoint, signal?: AbortSignal): Promise<void> {
    const { folder } = this.settings;
    const { note, signedAt } = checkpoint;
    try {
      if (folder !== null && !(await this.isPublished(checkpoint))) await publishTo(folder, note, signedAt);
    } catch (error) {
      this.logger.warn({ reason: 'checkpoint_not_written', folder, err: error }, 'a checkpoint could not be written to CHECKPOINT_DIR');
    }
    await Promise.all(this.witnesses.map((witness) => this.askWitness(witness, checkpoint, signal)));
  }

  /** Whether this checkpoint or a later one is in the folder: a process that was delayed must not overwrite what another one has published since. */
  private async isInFolder({ origin, size, note }: StoredCheckpoint): Promise<boolean> {
    const there = await this.inFolder();
    if (there === null || there.note === note) return there !== null;
    if (there.head.origin === origin) return there.head.size > size;
    const logs = (await logOrigins(this.pool)).map((log) => log.origin);
    return logs.indexOf(there.head.origin) > logs.indexOf(origin);
  }

  private async askWitness(witness: WitnessClient, checkpoint: StoredCheckpoint, signal?: AbortSignal): Promise<void> {
    const told = { reason: 'checkpoint_not_cosigned', witness: witness.key.name, size: checkpoint.size };
    try {
      const witnessed = await witness.cosign(this.pool, checkpoint, signal);
      if (witnessed === 'ahead') this.heedWitness(witness, checkpoint);
      else if (witnessed !== 'cosigned') this.logger.warn({ ...told, refused: witnessed.refused }, 'a witness did not cosign a checkpoint');
    } catch (error) {
      if (!signal?.aborted) this.logger.warn({ ...told, err: error }, 'a witness could not be asked to cosign a checkpoint');
    }
  }

  /** If a witness says that it has seen a larger log, a new log is opened. It gives no proof, so for the new log it is not believed again. */
  private heedWitness(witness: WitnessClient, { origin, size }: StoredCheckpoint): void {
    if (this.logsOpenedForWitness.has(origin)) this.disbelieved.add(witness);
    const told = { witness: witness.key.name, origin, size };
    if (this.disbelieved.has(witness)) {
      const message = 'a witness says again to have seen a larger log, now of one that was just opened: it is not believed';
      this.logger.warn({ reason: 'witness_not_believed', ...told }, message);
      return;
    }
    this.logBehindWitness = origin;
    const message = 'a witness has seen a larger log: the next checkpoint opens a new one';
    this.logger.warn({ reason: 'checkpoint_not_cosigned', ...told }, message);
  }
}
