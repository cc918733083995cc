import { createHash } from 'node:crypto';
import { boundedCache } from '@lib/memory/bounded-cache';
import type { Answer, Call } from './answer-calls';
import type { PoolLane } from './pool-lane';
import { PoolTimeout } from './pool-timeout';

type Lane = Pick<PoolLane, 'answer'>;

const SLOW_BYTES = 256 * 1024;

/**
 * Calls expected to be quick have their own lane, in which each waits for the ones before it. A call that turns out to be slow moves to the slow
 * lane, and later calls about the same reports go there at once.
 */
export class TwoLanes {
  /** Digests of reports for which a call in the quick lane was too slow. */
  private readonly slow = boundedCache<'slow'>({ name: 'slow reports', maxBytes: SLOW_BYTES, bytesOf: () => 0 });

  constructor(
    private readonly quickLane: Lane,
    private readonly slowLane: Lane,
  ) {}

  /** @param isQuick whether the call is expected to be quick */
  async answer(call: Call, isQuick: boolean): Promise<Answer> {
    if (!isQuick || this.isKnownAsSlow(call)) return this.slowLane.answer(call);
    const answer = await this.quickLane.answer(call);
    if (!('error' in answer && answer.error instanceof PoolTimeout)) return answer;
    this.slow.set(subjectOf(call), 'slow');
    return this.slowLane.answer(call);
  }

  /** Slow calls are rare: no digest is computed until the first one. */
  private isKnownAsSlow(call: Call): boolean {
    return this.slow.size > 0 && this.slow.get(subjectOf(call)) !== undefined;
  }
}

/** A digest of the first argument, which is what a task reads: a job's reports, or a model's text. */
const subjectOf = ({ given: [first] }: Call): string =>
  createHash('sha256')
    .update(JSON.stringify(first) ?? '')
    .digest('base64');
