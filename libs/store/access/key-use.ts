import type { Pool } from 'pg';
import { int4Array, textArray } from '../postgres/array-parameter';

const MARK = { name: 'mark_keys_used', text: 'select mark_keys_used($1::text[], $2::int4[])' };

/** Interval between writes. `mark_keys_used` writes a key at most every half minute, so a use is visible within a minute. */
const EVERY_MS = 20_000;
/** When this many keys wait, they are written at once. */
const MAX_WAITING = 1_000;

/** When keys were last used: collected in the process and written together, so that no request waits for it or writes. */
export class KeyUse {
  private used = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  /** @param tellFailure called when writing fails; it is then tried again */
  constructor(
    private readonly pool: Pool,
    private readonly tellFailure: (error: unknown) => void,
    private readonly everyMs = EVERY_MS,
  ) {}

  note(keyId: string): void {
    this.used.set(keyId, performance.now());
    if (this.used.size >= MAX_WAITING) void this.write();
    else this.timer ??= setTimeout(() => void this.write(), this.everyMs).unref();
  }

  /** Writes the remaining uses. */
  async stop(): Promise<void> {
    await this.write();
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const used = this.used;
    this.used = new Map();
    this.writing = this.writing.then(() => this.mark(used));
    return this.writing;
  }

  private async mark(used: ReadonlyMap<string, number>): Promise<void> {
    if (used.size === 0) return;
    const now = performance.now();
    const ages = [...used.values()].map((at) => Math.round(now - at));
    try {
      await this.pool.query({ ...MARK, values: [textArray([...used.keys()]), int4Array(ages)] });
    } catch (error) {
      // Keeps no more than the limit. A key that is left out is written at its next use.
      for (const [keyId, at] of used) if (this.used.size < MAX_WAITING && !this.used.has(keyId)) this.used.set(keyId, at);
      this.timer ??= setTimeout(() => void this.write(), this.everyMs).unref();
      this.tellFailure(error);
    }
  }
}
