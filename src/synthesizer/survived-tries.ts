import { boundedCache } from '@lib/memory/bounded-cache';
import type { AgendaTable } from '@lib/store/agenda/agenda-table';

const OWED_BYTES = 2 * 1024 * 1024;

/**
 * Counts the tries of a synthesis that killed their process. Each try is counted before it begins, and uncounted if its process survives. If the
 * database is out of reach then, the try is uncounted before the next one.
 */
export class SurvivedTries {
  private readonly owed = boundedCache<'owed'>({ name: 'survived tries', maxBytes: OWED_BYTES, bytesOf: () => 0 });

  constructor(private readonly agenda: Pick<AgendaTable, 'beginSynthesis' | 'returnTry'>) {}

  /** @returns the number of counted tries, including this one; null if no synthesis is due */
  async begin(jobId: string): Promise<number | null> {
    if (this.owed.has(jobId)) await this.giveBack(jobId);
    return this.agenda.beginSynthesis(jobId);
  }

  /** Never throws, so that the caller can report the failure of the synthesis itself. */
  async survived(jobId: string): Promise<void> {
    this.owed.set(jobId, 'owed');
    await this.giveBack(jobId).catch(() => undefined);
  }

  private async giveBack(jobId: string): Promise<void> {
    await this.agenda.returnTry(jobId);
    this.owed.delete(jobId);
  }
}
