import { LRUCache } from 'lru-cache';
import { tellHolding, type Held } from './holdings';

/** Bytes of an entry besides its key and value: its slots in the cache, and the key's object. */
const ENTRY_BYTES = 200;
/** How many times within the lifetime of its values a cache looks for expired ones and asks the time. */
const LOOKS = 10;

export interface CacheBounds<Value> {
  /** The cache's name in `holdings`. */
  name: string;
  maxBytes: number;
  /** How many bytes of memory a stored value takes; not its size when sent or on disk. */
  bytesOf: (value: Value) => number;
  /** How long a value is kept after it was set, whether or not somebody asks for it; it may stay up to a tenth longer. */
  ttlMs?: number;
}

export type Cache<Value extends object | string | number> = LRUCache<string, Value>;

/** A cache that evicts the least recently used values once it would hold more than `maxBytes`. A value larger than `maxBytes` is not kept. */
export function boundedCache<Value extends object | string | number>({
  name,
  maxBytes,
  bytesOf,
  ttlMs = 0,
}: CacheBounds<Value>): Cache<Value> {
  const sizeCalculation = (value: Value, key: string) => ENTRY_BYTES + key.length + bytesOf(value);
  const lookMs = Math.ceil(ttlMs / LOOKS);
  const cache = new LRUCache<string, Value>({ maxSize: maxBytes, sizeCalculation, ttl: ttlMs, ttlResolution: Math.min(lookMs, 1_000) });
  tellHolding(cache, name, maxBytes, heldByCache);
  if (ttlMs > 0) forgetInTime(new WeakRef(cache), lookMs);
  return cache;
}

/** Stops when the cache itself is gone. */
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
