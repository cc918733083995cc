import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { append } from '@lib/store/commit/append';
import type { Decided } from '@lib/store/commit/decide-unit';
import { indexThreads, writesOf } from '@lib/store/commit/writes-of';
import { emptyStream, evolve, type Stream } from '@lib/store/history/aggregates';
import { recordOf } from '@lib/store/history/event-record';
import { Contents, uncommitted } from '@lib/store/sealing/contents';
import { KeyRing, type NewThreadKey } from '@lib/store/sealing/key-ring';
import { eventPlace, seal } from '@lib/store/sealing/seal';
import { ThreadKeys } from '@lib/store/sealing/thread-keys';
import { sealedDocuments } from '@lib/store/views/sealed-documents';
import { readTemplate, type Template } from './template';

/** Of no effect: a finished job has nothing on the agenda. */
const TIMES = { leaseMs: 60_000, redispatchFirstMs: 60_000, windowOf: () => 1 };

export interface Seeded {
  threadId: string;
  jobId: string;
}

/**
 * Writes finished jobs as the service would have: events sealed under each thread's own key and chained, views and documents projected
 * from them, all by the store's own code and in its own statement. Only that nothing is decided anew: the histories are copies.
 */
export class Seeder {
  private readonly ring: KeyRing;
  private readonly contents: Contents;
  private templates: Template[] = [];
  private copied = 0;

  constructor(
    private readonly pool: Pool,
    masterKey: Buffer,
  ) {
    this.ring = new KeyRing([masterKey]);
    this.contents = new Contents(pool, new ThreadKeys(pool, this.ring));
  }

  async learn(jobs: readonly Seeded[]): Promise<void> {
    const keys = new ThreadKeys(this.pool, this.ring);
    this.templates = await Promise.all(jobs.map(({ threadId, jobId }) => readTemplate(this.pool, keys, threadId, jobId)));
  }

  /** @param shiftMs by how much the first of them lies after its template; each next one a millisecond later */
  async write(jobs: number, shiftMs: number): Promise<Seeded[]> {
    const decided: Decided[] = [];
    const created = new Map<string, NewThreadKey>();
    const seeded: Seeded[] = [];
    for (let place = 0; place < jobs; place += 1) {
      const copy = this.replay(shiftMs + place, created);
      decided.push(copy);
      const [threadId = '', jobId = ''] = [...copy.streams.keys()];
      seeded.push({ threadId, jobId });
    }
    const after = new Map(decided.flatMap(({ streams }) => [...streams]));
    const before = new Map([...after.keys()].map((streamId) => [streamId, emptyStream(streamId)]));
    const fresh = uncommitted(decided.flatMap(({ appended }) => appended.map(({ record, content }) => ({ ...record, content }))));
    const keys = new Map<string, KeyObject>([...created].map(([threadId, { key }]) => [threadId, key]));
    const documents = await sealedDocuments(before, after, fresh, keys, this.contents);
    const threadIndexes = indexThreads(decided);
    const writes = writesOf({ decided, before, documents, threadIndexes }, TIMES);
    writes.newKeys = writes.newThreads.map(({ id, tenantId, threadIndex }) => ({
      threadId: id,
      tenantId,
      threadIndex,
      ...(created.get(id) as NewThreadKey),
    }));
    await append(this.pool, writes, null);
    return seeded;
  }

  private replay(shiftMs: number, created: Map<string, NewThreadKey>): Decided {
    const template = this.templates[this.copied++ % this.templates.length];
    if (!template) throw new Error('there is no history to copy');
    const { events, contents } = template.copy(shiftMs);
    const threadId = events[0]?.streamId ?? '';
    const threadKey = this.ring.create(threadId);
    created.set(threadId, threadKey);
    const streams = new Map<string, Stream>();
    const appended = events.map(({ id, streamId, version, type, facts, meta }, place) => {
      const content = contents[place] ?? null;
      const stream = streams.get(streamId) ?? emptyStream(streamId);
      const sealed = content && seal(threadKey.key, eventPlace(streamId, version, type), content.text);
      const record = recordOf({ id, streamId, version, type, facts, meta }, stream.hash, sealed);
      const event = { type, facts, content: content?.object } as unknown as Parameters<typeof evolve>[1];
      streams.set(streamId, evolve(stream, event, meta.occurredAt, record.hash));
      return { record, content: content?.object ?? null, contentText: content?.text ?? '' };
    });
    const { actor, correlationId } = events[0]?.meta ?? { actor: '', correlationId: '' };
    return { unit: { commands: [], meta: { actor, correlationId } }, threadId, threadDeleted: false, appended, streams };
  }
}
