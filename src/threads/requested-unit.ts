import type { Unit } from '@lib/store/commit/unit';
import type { RepeatableRequest } from '@lib/store/requests/keyed-requests';
import type { Caller } from '../access/caller';

/**
 * What every unit of work has beside its commands: the origin of its events, whether the client still waits, and the request itself if the client
 * may repeat it.
 * @param streamId the thread or job that shows what the request did
 */
export function requestedUnit(
  { keyId, correlationId, traceId, address, trace, isWaiting }: Caller,
  request: RepeatableRequest | null,
  streamId: string,
): Pick<Unit, 'meta' | 'isWanted' | 'request'> {
  return {
    meta: { actor: `key:${keyId}`, correlationId, traceId, clientAddress: address, trace },
    isWanted: isWaiting,
    request: request ? { ...request, streamId } : undefined,
  };
}
