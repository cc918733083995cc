import { LRUCache } from 'lru-cache';
import { tellHolding, type Held } from './holdings';

/** Of an entry beside its key and value: its places in the cache, and the key's object. */
const ENTRY_BYTES = 200;
/** A cache looks so many times in the lifetime of its values for those whose time is over, and asks the time as often. */
const LOOKS = 10;

export interface CacheBounds<Value> {
  /** As `holdings` tells it. */
  name: string;
  maxBytes: number;
  /** How many bytes of memory a value takes as it is kept, not as it is sent or stored. */
  bytesOf: (value: Value) => number;
  /** How long a value is kept after it was set, whether somebody asks for it or not: a tenth longer at most. */
  ttlMs?: number;
}

export type Cache<Value extends object | string> = LRUCache<string, Value>;

/** A cache that forgets what was used least recently once it would hold more bytes than it may. A value beyond the whole bound is not kept. */
export function boundedCache<Value extends object | string>({ name, maxBytes, bytesOf, ttlMs = 0 }: CacheBounds<Value>): Cache<Value> {
  const sizeCalculation = (value: Value, key: string) => ENTRY_BYTES + key.length + bytesOf(value);
  const lookMs = Math.ceil(ttlMs / LOOKS);
  const cache = new LRUCache<string, Value>({ maxSize: maxBytes, sizeCalculation, ttl: ttlMs, ttlResolution: Math.min(lookMs, 1_000) });
  tellHolding(cache, name, maxBytes, heldByCache);
  if (ttlMs > 0) forgetInTime(new WeakRef(cache), lookMs);
  return cache;
}

/** Until the cache itself is gone. */
function forgetInTime(ref: WeakRef<{ purgeStale: () => boolean }>, everyMs: number): void {
  const timer = setInterval(() => {
    const cache = ref.deref();
    if (cache) cache.purgeStale();
    else clearInterval(timer);
  }, everyMs);
  timer.unref();
}

const heldByCache = ({ size, calculatedSize }: { size: number; calculatedSize: number }): Held => ({ items: size, bytes: calculatedSize });

/** The bytes of a text in memory: V8 keeps two for each UTF-16 unit as soon as one of them is not Latin. */
export const textBytes = (text: string): number => (Buffer.byteLength(text) === text.length ? text.length : 2 * text.length);
