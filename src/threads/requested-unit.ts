import type { Unit } from '@lib/store/commit/unit';
import type { Caller } from '../access/caller';

/** What the events of a request record as their origin. */
export const metaOf = ({ keyId, correlationId, traceId, address, trace }: Caller): Unit['meta'] => ({
  actor: `key:${keyId}`,
  correlationId,
  traceId,
  clientAddress: address,
  trace,
});
