import { bulkhead } from 'cockatiel';

/** How many changes are passed to waiting clients at a time. */
const TOLD_TOGETHER = 8;

/**
 * Passes on one change of a job at a time. Further changes of the same job are merged into one meanwhile, and a job that is slow to read does not
 * delay others.
 */
export class HeardChanges {
  private readonly acting = bulkhead(TOLD_TOGETHER, Infinity);
  private readonly heard = new Map<string, number | null>();
  private readonly busy = new Set<string>();

  /** @param tell must not throw */
  constructor(private readonly tell: (jobId: string, version: number | null) => Promise<void>) {}

  /** @param version null if the job is gone, or the version is not known */
  hear(jobId: string, version: number | null): void {
    const before = this.heard.get(jobId);
    this.heard.set(jobId, before === null || version === null ? null : Math.max(before ?? version, version));
    if (!this.busy.has(jobId)) this.begin(jobId);
  }

  /** Queues an action behind the changes to be passed on. @param act must not throw */
  act(act: () => Promise<void>): void {
    void this.acting.execute(act);
  }

  private begin(jobId: string): void {
    this.busy.add(jobId);
    this.act(async () => {
      const version = this.heard.get(jobId) ?? null;
      this.heard.delete(jobId);
      await this.tell(jobId, version);
      this.busy.delete(jobId);
      if (this.heard.has(jobId)) this.begin(jobId);
    });
  }
}
