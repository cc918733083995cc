import { Problem } from '../api/problems';
import type { NoProof } from './proofs';

/** The answer where something cannot be proved. */
export function noProof(why: NoProof): Problem {
  switch (why) {
    case 'no checkpoint':
      return new Problem('checkpoint_not_found', 'Nothing has been signed yet: ask again later, or have the operator set CHECKPOINT_KEY.');
    case 'no event':
      return new Problem('event_not_found', 'The event does not exist.');
    case 'not in the checkpoint':
      return new Problem('event_not_logged', 'The event is newer than the newest checkpoint: ask again after the next one.');
  }
}
