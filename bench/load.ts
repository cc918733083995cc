export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface Load {
  perSecond: number;
  /** In milliseconds. */
  latency: Percentiles;
}

/** Keeps `inFlight` calls under way until `calls` of them are done. */
export async function closedLoop(calls: number, inFlight: number, call: () => Promise<unknown>): Promise<Load> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < calls) {
      begun += 1;
      const from = performance.now();
      await call();
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, calls) }, lane));
  return { perSecond: (calls * 1000) / (performance.now() - startedAt), latency: percentilesOf(latencies) };
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number): number => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
