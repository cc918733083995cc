/** Share of a candidate's worth that counts; the rest is how far it repeats what was taken. */
const WORTH_SHARE = 0.7;

/**
 * Positions of the candidates that are worth the most together: each is weighed against its likeness to those taken before it
 * (maximal marginal relevance; Carbonell and Goldstein, SIGIR 1998). Both figures lie between 0 and 1; the earlier of equals is taken.
 */
export function selectDiverse(worths: readonly number[], likeness: (left: number, right: number) => number, most: number): number[] {
  const taken: number[] = [];
  const left = new Map(worths.map((worth, position) => [position, { worth, repeated: 0 }]));
  while (taken.length < most && left.size > 0) {
    let best = -1;
    let bestGain = -Infinity;
    for (const [position, { worth, repeated }] of left) {
      const gain = WORTH_SHARE * worth - (1 - WORTH_SHARE) * repeated;
      if (gain > bestGain) [best, bestGain] = [position, gain];
    }
    taken.push(best);
    left.delete(best);
    for (const [position, candidate] of left) candidate.repeated = Math.max(candidate.repeated, likeness(best, position));
  }
  return taken;
}
