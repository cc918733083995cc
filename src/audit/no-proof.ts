import { Problem } from '../api/problems';
import type { NoProof } from './proofs';

/** The answer where something cannot be proved. */
export function noProof(why: Exclude<NoProof, 'no event'>): Problem {
  switch (why) {
    case 'no checkpoint':
      return new Problem('checkpoint_not_found', 'Nothing has been signed yet: ask again later, or have the operator set CHECKPOINT_KEY.');
    case 'not in the checkpoint':
      return new Problem('event_not_logged', 'The event is newer than the newest checkpoint: ask again after the next one.');
  }
}

/** @param last version of the stream; 0 if the tenant has no such stream */
export function noEvent(streamId: string, version: number, last: number): Problem {
  const detail =
    last === 0
      ? `The stream ${streamId} does not exist: GET /v1/audit/events names those that do.`
      : textOfNoVersion(streamId, version, last);
  return new Problem('event_not_found', detail);
}

export const textOfNoVersion = (streamId: string, version: number, last: number): string =>
  `The stream ${streamId} has ${last} events and none of version ${version}: ask for a version from 1 to ${last}.`;
