import type { Unit } from '@lib/store/commit/unit';
import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Caller } from '../access/caller';

/**
 * What every unit of work has beside its commands: the origin of its events, whether the client still waits, and the request itself if the client
 * may repeat it.
 * @param streamId the thread or job that shows what the request did
 */
export function requestedUnit(
  { keyId, correlationId, traceId, address, trace, isWaiting }: Caller,
  request: IdempotentRequest | null,
  streamId: string,
): Pick<Unit, 'meta' | 'isWanted' | 'request'> {
  return {
    meta: { actor: `key:${keyId}`, correlationId, traceId, clientAddress: address, trace },
    isWanted: isWaiting,
    request: request ? { ...request, streamId } : undefined,
  };
}
