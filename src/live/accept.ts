/**
 * Whether a client asks for an event stream: it names the type, with a higher weight than JSON if it names that too. What anybody takes who says
 * nothing, or says that everything will do, is JSON.
 */
export function wantsEventStream(accept: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    weights.set(type, Math.max(weights.get(type) ?? 0, weightIn(parameters)));
  }
  return (weights.get('text/event-stream') ?? 0) > (weights.get('application/json') ?? 0);
}

function weightIn(parameters: readonly string[]): number {
  const weight = parameters.map((parameter) => /^q=([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1]).find((text) => text !== undefined);
  return weight === undefined ? 1 : Number(weight);
}
