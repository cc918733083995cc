/** What a client prefers, by `Accept` or `Accept-Encoding`: each name in lower case with its weight, 0 for what it refuses. */
export function weightsOf(header: string | undefined): Map<string, number> {
  const weights = new Map<string, number>();
  for (const range of (header ?? '').split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    weights.set(name, Math.max(weights.get(name) ?? 0, weightIn(parameters)));
  }
  return weights;
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.map((parameter) => /^q=([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1]).find((text) => text !== undefined);
  return weight === undefined ? 1 : Number(weight);
}
