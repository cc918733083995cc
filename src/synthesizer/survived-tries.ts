import { boundedCache } from '@lib/memory/bounded-cache';
import type { AgendaTable } from '@lib/store/agenda/agenda-table';

const OWED_BYTES = 2 * 1024 * 1024;

/**
 * Counts the tries of a synthesis that killed their process: a try is counted before it begins, and taken back by the process that has survived
 * it. What the database could not take is taken back with the next try.
 */
export class SurvivedTries {
  private readonly owed = boundedCache<'owed'>({ name: 'survived tries', maxBytes: OWED_BYTES, bytesOf: () => 0 });

  constructor(private readonly agenda: Pick<AgendaTable, 'beginSynthesis' | 'returnTry'>) {}

  /** @returns this try's number among those that nobody has survived yet; null if no synthesis is due */
  async begin(jobId: string): Promise<number | null> {
    if (this.owed.has(jobId)) await this.giveBack(jobId);
    return this.agenda.beginSynthesis(jobId);
  }

  /** Never throws: the failure that it follows is what the caller tells. */
  async survived(jobId: string): Promise<void> {
    this.owed.set(jobId, 'owed');
    await this.giveBack(jobId).catch(() => undefined);
  }

  private async giveBack(jobId: string): Promise<void> {
    await this.agenda.returnTry(jobId);
    this.owed.delete(jobId);
  }
}
