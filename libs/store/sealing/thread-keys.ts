import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { boundedCache, type Cache } from '@lib/memory/bounded-cache';
import { textArray } from '../postgres/array-parameter';
import type { KeyRing } from './key-ring';
import { Unsealable } from './seal';

/** How long keys and opened content are cached by default. */
export const REMEMBER_MS = 300_000;

const READ = {
  name: 'thread_keys',
  text: 'select thread_id, kek_id, wrapped from thread_key where thread_id = any ($1::text[])',
};

const FOUND = {
  name: 'thread_keys_found',
  text: 'select thread_id from thread_key where thread_id = any ($1::text[])',
};

/** Estimated size of a key's object with what OpenSSL keeps for it. */
const KEY_BYTES = 300;

export interface ReadKeys {
  keys: Map<string, KeyObject>;
  /** Errors of keys that were changed, or wrapped under another master key. */
  changed: Map<string, Unsealable>;
}

/** The threads' data keys, unwrapped. A thread without a key is deleted: nothing of it can be read or written. */
export class ThreadKeys {
  private readonly cache: Cache<KeyObject>;

  constructor(
    private readonly pool: Pool,
    readonly ring: KeyRing,
    ttlMs = REMEMBER_MS,
  ) {
    this.cache = boundedCache({ name: 'thread keys', maxBytes: 8 * 1024 * 1024, bytesOf: () => KEY_BYTES, ttlMs });
  }

  /** Caches the key of a new thread, whose row is committed. */
  remember(threadId: string, key: KeyObject): void {
    this.cache.set(threadId, key);
  }

  /**
   * The keys of the threads that still have one.
   * @throws Unsealable for a key that was changed. The other keys are cached before, so that a second call for them alone succeeds
   */
  async read(threadIds: Iterable<string>): Promise<Map<string, KeyObject>> {
    const { keys, changed } = await this.readEach(threadIds);
    for (const error of changed.values()) throw error;
    return keys;
  }

  /** The keys of those threads that still have one, and why the others cannot be opened. */
  async readEach(threadIds: Iterable<string>): Promise<ReadKeys> {
    const keys = new Map<string, KeyObject>();
    const changed = new Map<string, Unsealable>();
    const missing: string[] = [];
    for (const threadId of new Set(threadIds)) {
      const cached = this.cache.get(threadId);
      if (cached) keys.set(threadId, cached);
      else missing.push(threadId);
    }
    if (missing.length === 0) return { keys, changed };
    const { rows } = await this.pool.query<{ thread_id: string; kek_id: string; wrapped: Buffer }>({
      ...READ,
      values: [textArray(missing)],
    });
    for (const row of rows) {
      try {
        const key = this.ring.unwrap(row.thread_id, row.kek_id, row.wrapped);
        this.cache.set(row.thread_id, key);
        keys.set(row.thread_id, key);
      } catch (error) {
        if (!(error instanceof Unsealable)) throw error;
        changed.set(row.thread_id, error);
      }
    }
    return { keys, changed };
  }

  /** The threads whose key is gone according to the database, bypassing the cache. */
  async missing(threadIds: Iterable<string>): Promise<Set<string>> {
    const asked = new Set(threadIds);
    if (asked.size === 0) return asked;
    const { rows } = await this.pool.query<{ thread_id: string }>({ ...FOUND, values: [textArray([...asked])] });
    for (const row of rows) asked.delete(row.thread_id);
    for (const threadId of asked) this.forget(threadId);
    return asked;
  }

  forget(threadId: string): void {
    this.cache.delete(threadId);
  }
}
