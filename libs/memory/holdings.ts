/** How much one cache or queue of this process holds, and how far it may grow. */
export interface Holding extends Held {
  /** In plain words, the same for all holdings of one kind. */
  name: string;
  maxBytes: number;
}

export interface Held {
  items: number;
  bytes: number;
}

/** Each returns null once its owner is gone. */
const known = new Set<() => Holding | null>();

/**
 * Makes `holdings` report the owner for as long as the owner lives. Everything that grows with the load of the process has a bound in bytes.
 * @param heldBy must not refer to the owner, even indirectly, or the owner would never be garbage-collected
 */
export function tellHolding<Owner extends object>(owner: Owner, name: string, maxBytes: number, heldBy: (owner: Owner) => Held): void {
  const ref = new WeakRef(owner);
  known.add(() => {
    const living = ref.deref();
    return living ? { name, maxBytes, ...heldBy(living) } : null;
  });
}

/** What this process holds by name, the largest first. Holdings of one name are added up. */
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
