/** A sample of the items, drawn with a seed; all of them, in order, if there are no more than asked for. */
export function sample<Item>(items: readonly Item[], size: number, seed: number): Item[] {
  if (items.length <= size) return [...items];
  const next = mulberry32(seed);
  const drawn = [...items];
  for (let place = 0; place < size; place += 1) {
    const other = place + Math.floor(next() * (drawn.length - place));
    [drawn[place], drawn[other]] = [drawn[other] as Item, drawn[place] as Item];
  }
  return drawn.slice(0, size);
}

/** Numbers from 0 to 1 that look random and follow from the seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The 95 % confidence interval (Wilson) of the share of all, from the share of a sample. */
export function interval(hits: number, size: number): [number, number] {
  if (size === 0) return [0, 1];
  const z = 1.96;
  const share = hits / size;
  const middle = share + (z * z) / (2 * size);
  const spread = z * Math.sqrt((share * (1 - share)) / size + (z * z) / (4 * size * size));
  const scale = 1 + (z * z) / size;
  return [(middle - spread) / scale, (middle + spread) / scale];
}
