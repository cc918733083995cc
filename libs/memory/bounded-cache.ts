import { LRUCache } from 'lru-cache';
import { tellHolding, type Held } from './holdings';

/** Estimated memory of an entry besides its key and value: its slots in the cache, and the key's object. */
const ENTRY_BYTES = 200;
/** A cache removes expired values this many times per lifetime of a value. */
const LOOKS = 10;

export interface CacheBounds<Value> {
  /** The cache's name in `holdings`. */
  name: string;
  maxBytes: number;
  /** The bytes that a value takes in memory, which differ from its size when sent or stored. */
  bytesOf: (value: Value) => number;
  /** How long a value is kept after it was set. It is removed at most a tenth later, even if nobody reads it. */
  ttlMs?: number;
}

export type Cache<Value extends object | string> = LRUCache<string, Value>;

/** A cache that drops the least recently used values to stay within its bytes. A value that alone exceeds them is not kept. */
export function boundedCache<Value extends object | string>({ name, maxBytes, bytesOf, ttlMs = 0 }: CacheBounds<Value>): Cache<Value> {
  const sizeCalculation = (value: Value, key: string) => ENTRY_BYTES + key.length + bytesOf(value);
  const lookMs = Math.ceil(ttlMs / LOOKS);
  const cache = new LRUCache<string, Value>({ maxSize: maxBytes, sizeCalculation, ttl: ttlMs, ttlResolution: Math.min(lookMs, 1_000) });
  tellHolding(cache, name, maxBytes, heldByCache);
  if (ttlMs > 0) forgetInTime(new WeakRef(cache), lookMs);
  return cache;
}

/** Removes expired values at intervals, until the cache is garbage-collected. */
function forgetInTime(ref: WeakRef<{ purgeStale: () => boolean }>, everyMs: number): void {
  const timer = setInterval(() => {
    const cache = ref.deref();
    if (cache) cache.purgeStale();
    else clearInterval(timer);
  }, everyMs);
  timer.unref();
}

const heldByCache = ({ size, calculatedSize }: { size: number; calculatedSize: number }): Held => ({ items: size, bytes: calculatedSize });

/** Most bytes that a text takes in memory: V8 may keep two per UTF-16 unit unless all are ASCII. */
export const textBytes = (text: string): number => (Buffer.byteLength(text) === text.length ? text.length : 2 * text.length);
