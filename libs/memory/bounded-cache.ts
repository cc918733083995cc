import { LRUCache } from 'lru-cache';
import { tellHolding, type Held } from './holdings';

/** Of an entry beside its key and value: its places in the cache, and the key's object. */
const ENTRY_BYTES = 200;

export interface CacheBounds<Value> {
  /** As `holdings` tells it. */
  name: string;
  maxBytes: number;
  /** How many bytes of memory a value takes as it is kept, not as it is sent or stored. */
  bytesOf: (value: Value) => number;
  /** How long a value is kept at most. */
  ttlMs?: number;
}

/** A cache that forgets what was used least recently once it would hold more bytes than it may. A value beyond the whole bound is not kept. */
export function boundedCache<Value extends object | string>({
  name,
  maxBytes,
  bytesOf,
  ttlMs = 0,
}: CacheBounds<Value>): LRUCache<string, Value> {
  const sizeCalculation = (value: Value, key: string) => ENTRY_BYTES + key.length + bytesOf(value);
  const cache = new LRUCache<string, Value>({ maxSize: maxBytes, sizeCalculation, ttl: ttlMs });
  tellHolding(cache, name, maxBytes, heldByCache);
  return cache;
}

const heldByCache = ({ size, calculatedSize }: { size: number; calculatedSize: number }): Held => ({ items: size, bytes: calculatedSize });

/** The bytes of a text in memory: V8 keeps two for each UTF-16 unit as soon as one of them is not Latin. */
export const textBytes = (text: string): number => (Buffer.byteLength(text) === text.length ? text.length : 2 * text.length);
