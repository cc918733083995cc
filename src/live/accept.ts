import { weightsOf } from '../api/weights';

/**
 * Whether a client asks for an event stream: it must name the type, and if it also names JSON, give the stream a higher weight. Without an
 * `Accept` header, or with a wildcard, a client gets JSON.
 */
export function wantsEventStream(accept: string | undefined): boolean {
  const weights = weightsOf(accept);
  return (weights.get('text/event-stream') ?? 0) > (weights.get('application/json') ?? 0);
}
