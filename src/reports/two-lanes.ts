import { createHash } from 'node:crypto';
import { boundedCache } from '@lib/memory/bounded-cache';
import type { Answer, Call } from './answer-calls';
import type { ThreadLane } from './thread-lane';
import { ThreadTooLate } from './thread-too-late';

type Lane = Pick<ThreadLane, 'answer'>;

const SLOW_BYTES = 256 * 1024;

/**
 * Calls that are expected to be quick have a lane of their own, where each waits for those before it. If one turns out to be slow, it is moved to the
 * slow lane, and later calls about the same reports go there at once.
 */
export class TwoLanes {
  /** Digests of the reports that a call was too slow for. */
  private readonly slow = boundedCache<'slow'>({ name: 'slow reports', maxBytes: SLOW_BYTES, bytesOf: () => 0 });

  constructor(
    private readonly quickLane: Lane,
    private readonly slowLane: Lane,
  ) {}

  /** @param isQuick whether the call is expected to be */
  async answer(call: Call, isQuick: boolean): Promise<Answer> {
    if (!isQuick || this.isKnownAsSlow(call)) return this.slowLane.answer(call);
    const answer = await this.quickLane.answer(call);
    if (!('error' in answer && answer.error instanceof ThreadTooLate)) return answer;
    this.slow.set(subjectOf(call), 'slow');
    return this.slowLane.answer(call);
  }

  /** Calls are hardly ever slow, and as long as none was, no digest is computed. */
  private isKnownAsSlow(call: Call): boolean {
    return this.slow.size > 0 && this.slow.get(subjectOf(call)) !== undefined;
  }
}

/** A digest of the first argument, which is what a task reads: a job's reports, or a model's text. */
const subjectOf = ({ given: [first] }: Call): string =>
  createHash('sha256')
    .update(JSON.stringify(first) ?? '')
    .digest('base64');
