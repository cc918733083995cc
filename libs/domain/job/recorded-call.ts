import type { Digest } from '../digest';
import type { ToldCall } from './commands';
import type { RecordedCall } from './facts';

/** There was no call, or the worker did not describe it. */
export const NO_CALL: RecordedCall = { sentDigest: null, requestIdDigest: null, status: null };

/** Records only keyed digests, since a plain digest of a prompt could be guessed, and a request id looked up at the provider. */
export function recordedCall(call: ToldCall | undefined, digest: Digest): RecordedCall {
  if (!call) return NO_CALL;
  const { sentSha256, requestId, status } = call;
  return {
    sentDigest: sentSha256 === null ? null : digest('sent', sentSha256),
    requestIdDigest: requestId === null ? null : digest('request id', requestId),
    status,
  };
}
