/** What one cache or queue of this process holds, and how far it may grow. */
export interface Holding extends Held {
  /** A name in plain words, shared by all holdings of one kind. */
  name: string;
  maxBytes: number;
}

export interface Held {
  items: number;
  bytes: number;
}

/** Each returns null once its owner was garbage-collected. */
const known = new Set<() => Holding | null>();

/**
 * Adds a cache or queue to `holdings` while it lives. Everything that grows with the load has a bound in bytes.
 * @param heldBy must not refer to the owner, even indirectly: it would never be garbage-collected
 */
export function tellHolding<Owner extends object>(owner: Owner, name: string, maxBytes: number, heldBy: (owner: Owner) => Held): void {
  const ref = new WeakRef(owner);
  known.add(() => {
    const living = ref.deref();
    return living ? { name, maxBytes, ...heldBy(living) } : null;
  });
}

/** What this process holds, summed by name, the largest first. */
export function holdings(): Holding[] {
  const byName = new Map<string, Holding>();
  for (const read of known) {
    const holding = read();
    if (!holding) {
      known.delete(read);
      continue;
    }
    const { name, items, bytes, maxBytes } = holding;
    const sum = byName.get(name) ?? { name, items: 0, bytes: 0, maxBytes: 0 };
    byName.set(name, { name, items: sum.items + items, bytes: sum.bytes + bytes, maxBytes: sum.maxBytes + maxBytes });
  }
  return [...byName.values()].sort((one, other) => other.bytes - one.bytes);
}
