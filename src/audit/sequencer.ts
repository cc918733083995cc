import { leafOf } from '@lib/audit/format/log-leaf';
import { clusterOf } from '@lib/store/log/cluster';
import { appendToLog, stretchOfEvents, type LogHead, type Stretch } from '@lib/store/log/log-entries';
import { storedHashes } from '@lib/store/log/log-hashes';
import type { Pool } from '@lib/store/postgres/pool';
import { killPoint } from '../runtime/kill-point';
import { BrokenLog, folded, STORED_EVERY, STORED_WIDTH } from './stored-tree';

const STRETCH = 2000;

/**
 * Gives every event that is not in the log its place there, once and for good. Any number of processes may do it at the same time: an append is one
 * statement, which does nothing unless the log has the size that it was made for.
 *
 * Events are looked at in the order of their positions, from a floor up to which all are in the log. A slow transaction may commit an early position
 * late, so the floor rises only to a position that was the newest one before the oldest transaction that still runs began. Transaction ids are
 * compared only with ids of the same running cluster, never with those stored in events, which may be ahead after a restore.
 * @param from `the beginning` also looks below the floor, which reads every event
 * @returns how many events were added
 */
export async function sequence(pool: Pool, from: 'the floor' | 'the beginning' = 'the floor', signal?: AbortSignal): Promise<number> {
  const { epoch } = await clusterOf(pool);
  const isBelowFloor = from === 'the beginning';
  let [added, after] = [0, Number.MIN_SAFE_INTEGER];
  let settled: number | undefined;
  for (;;) {
    const stretch = await stretchOfEvents(pool, { epoch, after, limit: STRETCH, isBelowFloor });
    // Taken from the first look: later looks do not go back, and an event may have appeared behind them in between.
    settled ??= stretch.xmin >= stretch.head.markXmax ? stretch.head.mark : stretch.head.floor;
    const head = nextHead(stretch, settled);
    const isChanged = stretch.unlogged.length > 0 || !isSame(head, stretch.head);
    if (isChanged && !(await append(pool, stretch, epoch, head))) return added;
    added += stretch.unlogged.length;
    after = stretch.last;
    if (stretch.looked < STRETCH || signal?.aborted === true) return added;
  }
}

async function append(pool: Pool, { head: { size }, unlogged }: Stretch, epoch: string, head: Omit<LogHead, 'size'>): Promise<boolean> {
  const entries = unlogged.map((event) => ({ ...event, leafHash: leafOf(event) }));
  const leaves = entries.map(({ leafHash }) => leafHash);
  const nodes = await completedNodes(pool, size, leaves);
  killPoint('log.before-append');
  const isAppended = await appendToLog(pool, { size, epoch, entries, nodes, head });
  killPoint('log.after-append');
  return isAppended;
}

/** @param settled up to this position no event can appear any more */
function nextHead({ head, newest, xmax, looked, last }: Stretch, settled: number): Omit<LogHead, 'size'> {
  // Several events may have the last position of a full stretch.
  const seen = looked < STRETCH ? newest : last - 1;
  const floor = Math.max(head.floor, Math.min(settled, seen));
  return floor >= head.mark ? { floor, mark: Math.max(floor, newest), markXmax: xmax } : { ...head, floor };
}

/** The head is not written again if floor and mark are the same and only other transactions have ended. */
const isSame = (one: Omit<LogHead, 'size'>, other: LogHead): boolean => one.floor === other.floor && one.mark === other.mark;

/** The nodes that are complete once these leaves are added: of each stored level those over 256 of the level below. */
async function completedNodes(pool: Pool, size: number, leaves: readonly Buffer[]) {
  const nodes: { level: number; index: number; hash: Buffer }[] = [];
  let [before, added] = [size, leaves];
  for (let level = 0; (before % STORED_WIDTH) + added.length >= STORED_WIDTH; level += STORED_EVERY) {
    const start = before - (before % STORED_WIDTH);
    const stored = before > start ? await storedHashes(pool, level, [{ first: start, last: before - 1 }]) : new Map<number, Buffer>();
    if (stored.size !== before - start)
      throw new BrokenLog(`of the hashes ${start} to ${before - 1} of level ${level} of the log some are missing`);
    const all = [...Array.from({ length: before - start }, (_, at) => stored.get(start + at) as Buffer), ...added];
    const made: Buffer[] = [];
    for (let at = 0; at + STORED_WIDTH <= all.length; at += STORED_WIDTH) made.push(folded(all.slice(at, at + STORED_WIDTH)));
    before = start / STORED_WIDTH;
    nodes.push(...made.map((hash, at) => ({ level: level + STORED_EVERY, index: before + at, hash })));
    added = made;
  }
  return nodes;
}
