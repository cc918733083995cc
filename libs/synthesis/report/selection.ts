/** Weight of a candidate's worth; the remaining weight is on how much it repeats what was taken. */
const WORTH_SHARE = 0.7;

/**
 * Positions of the candidates that together are worth the most: each is weighed against its similarity to those already taken (maximal marginal
 * relevance; Carbonell and Goldstein, SIGIR 1998). Both values are between 0 and 1; the earlier of equals is taken.
 */
export function selectDiverse(worths: readonly number[], likeness: (left: number, right: number) => number, most: number): number[] {
  const taken: number[] = [];
  const isTaken = new Uint8Array(worths.length);
  const repeated = new Float64Array(worths.length);
  while (taken.length < Math.min(most, worths.length)) {
    let best = -1;
    let bestGain = -Infinity;
    for (let position = 0; position < worths.length; position += 1) {
      const gain = WORTH_SHARE * (worths[position] ?? 0) - (1 - WORTH_SHARE) * (repeated[position] ?? 0);
      if (isTaken[position] === 1 || gain <= bestGain) continue;
      best = position;
      bestGain = gain;
    }
    taken.push(best);
    isTaken[best] = 1;
    if (taken.length === most) break;
    for (let position = 0; position < worths.length; position += 1)
      if (isTaken[position] === 0) repeated[position] = Math.max(repeated[position] ?? 0, likeness(position, best));
  }
  return taken;
}
