import { LRUCache } from 'lru-cache';

const TELL_AGAIN_MS = 60_000;
/** So many kinds are remembered; the next failure of a forgotten one is told at once. */
const MAX_KINDS = 1_000;

/** Decides which failures are worth a log line where one cause fails hundreds of things in a second: of each kind the first, then one in a minute. */
export class Repeats {
  private readonly kinds = new LRUCache<string, { toldAt: number; untold: number }>({ max: MAX_KINDS });
  private hasTold = false;

  /**
   * @param failure an error, whose kind are the names, codes and places of it and its causes, or the kind itself
   * @returns what to add to the line: how many failures it stands for; null if none is to be told now
   */
  failed(failure: unknown): { times: number } | null {
    const kind = kindOf(failure);
    const { toldAt, untold } = this.kinds.get(kind) ?? { toldAt: -Infinity, untold: 0 };
    const isDue = performance.now() - toldAt >= TELL_AGAIN_MS;
    this.kinds.set(kind, isDue ? { toldAt: performance.now(), untold: 0 } : { toldAt, untold: untold + 1 });
    if (!isDue) return null;
    this.hasTold = true;
    return { times: untold + 1 };
  }

  /** @returns whether to say so, since a failure was told before. What fails and works by turns is told no more often for it. */
  worked(): boolean {
    const { hasTold } = this;
    this.hasTold = false;
    return hasTold;
  }
}

/** Where it was thrown: two bugs with the same name are told apart. */
const FRAME = /^ {4}at .{1,200}$/m;

function kindOf(failure: unknown): string {
  if (typeof failure !== 'object' || failure === null) return String(failure);
  const { name, code, cause, stack } = failure as { name?: unknown; code?: unknown; cause?: unknown; stack?: unknown };
  const place = typeof stack === 'string' ? FRAME.exec(stack)?.[0].trim() : undefined;
  return [name, code, place, ...(cause === undefined ? [] : [kindOf(cause)])].join(' ');
}
