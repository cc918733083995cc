import type { Unit } from '@lib/store/commit/unit';
import type { RepeatableRequest } from '@lib/store/requests/keyed-requests';
import type { Caller } from '../access/caller';

/**
 * What every unit of a request has beside its commands: where its events come from, whether its client still waits, and the request itself if its
 * client may repeat it.
 * @param streamId of the thread or job that shows what the request did
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
