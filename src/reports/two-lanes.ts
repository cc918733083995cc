import { createHash } from 'node:crypto';
import { boundedCache } from '@lib/memory/bounded-cache';
import type { Answer, Call } from './answer-calls';
import type { ThreadLane } from './thread-lane';
import { ThreadTooLate } from './thread-too-late';

type Lane = Pick<ThreadLane, 'answer'>;

const SLOW_BYTES = 256 * 1024;

/**
 * Calls that are expected to be quick have a lane of their own, where each waits for those before it. One that turns out not to be quick goes on
 * in the lane of the slow ones, and whatever is asked of the same reports later goes there at once.
 */
export class TwoLanes {
  /** What calls were late about, by a digest. */
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

  /** Hardly ever is any call late, and until then none is digested. */
  private isKnownAsSlow(call: Call): boolean {
    return this.slow.size > 0 && this.slow.get(subjectOf(call)) !== undefined;
  }
}

/** What a task is given first is what it reads: a job's reports, or a model's text. */
const subjectOf = ({ given: [first] }: Call): string =>
  createHash('sha256')
    .update(JSON.stringify(first) ?? '')
    .digest('base64');
