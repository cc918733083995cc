import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Names the purpose of the derived key; docs/audit.md gives it for recomputing digests. */
const PURPOSE = 'research-threads keyed digests';

const derived = new WeakMap<KeyObject, KeyObject>();

/**
 * `HMAC-SHA-256(HKDF-SHA-256(the thread's data key, no salt, PURPOSE, 32 bytes), name || line feed || text)`, in hexadecimal. It can be recomputed as
 * long as the thread's key exists, whichever master key wraps that, and becomes useless with it.
 */
export function keyedDigest(threadKey: KeyObject, name: string, text: string | Buffer): string {
  return createHmac('sha256', keyOf(threadKey)).update(`${name}\n`).update(text).digest('hex');
}

function keyOf(threadKey: KeyObject): KeyObject {
  const known = derived.get(threadKey);
  if (known) return known;
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', threadKey, '', PURPOSE, 32)));
  derived.set(threadKey, key);
  return key;
}
