import type { Pool } from 'pg';
import { append } from '@lib/store/commit/append';
import { noWrites } from '@lib/store/commit/writes';
import { Contents } from '@lib/store/sealing/contents';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { ThreadKeys } from '@lib/store/sealing/thread-keys';
import { readHistory } from './history';
import { Template } from './template';

export interface Seeded {
  threadId: string;
  jobId: string;
}

/**
 * Writes finished jobs as the service would have: events sealed under each thread's own key and chained, views and documents projected from them by
 * the store's own code, and in its own statement. The only difference: nothing is decided or projected for each job. They are copies of finished jobs
 * with new ids, times and keys.
 */
export class Seeder {
  private readonly ring: KeyRing;
  private templates: Template[] = [];
  private copied = 0;

  constructor(
    private readonly pool: Pool,
    masterKey: Buffer,
  ) {
    this.ring = new KeyRing([masterKey]);
  }

  async learn(jobs: readonly Seeded[]): Promise<void> {
    const keys = new ThreadKeys(this.pool, this.ring);
    const contents = new Contents(this.pool, keys);
    this.templates = await Promise.all(
      jobs.map(async ({ threadId, jobId }) => Template.of(await readHistory(this.pool, keys, threadId, jobId), contents)),
    );
  }

  /** @param shiftMs by how much the first of them lies after its template; each next one a millisecond later */
  async write(jobs: number, shiftMs: number): Promise<Seeded[]> {
    const writes = noWrites();
    const seeded = Array.from({ length: jobs }, (_, place) => this.next().copyTo(writes, shiftMs + place, this.ring));
    await append(this.pool, writes, null);
    return seeded;
  }

  private next(): Template {
    const template = this.templates[this.copied++ % this.templates.length];
    if (!template) throw new Error('there is no history to copy');
    return template;
  }
}
