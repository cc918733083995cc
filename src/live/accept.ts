import { weightsOf } from '../api/weights';

/**
 * Whether a client asks for an event stream: it names the type, and with a higher weight than JSON if it names that too. A client that says
 * nothing, or that takes anything, gets JSON.
 */
export function wantsEventStream(accept: string | undefined): boolean {
  const weights = weightsOf(accept);
  return (weights.get('text/event-stream') ?? 0) > (weights.get('application/json') ?? 0);
}
