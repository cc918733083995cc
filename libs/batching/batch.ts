import { forTenants, tenantsOf } from './named-tenants';
import { WaitingLine, type LineLimits, type Waiting } from './waiting-line';

export interface BatchLimits<Request> extends LineLimits<Request> {
  /** Most batches under way at the same time. Default: 1. */
  width?: number;
  /** A batch may hold requests of several tenants; otherwise requests of different tenants are sent separately. */
  mixesTenants?: boolean;
}

let turn: Promise<void> | null = null;

/** All batches continue in the same step, so that what they write to one connection is sent in one piece and arrives in one turn of its reader. */
function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null;
      resolve();
    });
  });
  return turn;
}

/**
 * Requests that arrive while a batch is under way are sent together in the next one. There is no timer, so a lone request does not wait.
 * `send` answers in the order of its requests; if it throws, each of them fails with that error. An answer may be a promise: the next batch
 * does not wait for it.
 */
export function batch<Request, Reply>(
  send: (requests: Request[]) => Promise<readonly (Reply | PromiseLike<Reply>)[]>,
  limits: BatchLimits<Request>,
): (request: Request) => Promise<Reply> {
  const line = new WaitingLine<Request, Reply>(limits);
  let out = 0;

  const pump = async (): Promise<void> => {
    // Waits so that everything requested in this turn of the event loop joins the batch.
    await endOfTurn();
    for (let waiting = line.next(); waiting.length > 0; waiting = line.next()) {
      await Promise.all((limits.mixesTenants ? [waiting] : byTenants(waiting)).map(sendOne));
    }
    out -= 1;
  };

  const sendOne = async (waiting: readonly Waiting<Request, Reply>[]): Promise<void> => {
    try {
      const requests = waiting.map(({ request }) => request);
      const replies = await forTenants(tenantsOf(waiting), () => send(requests));
      waiting.forEach((one, place) => {
        if (place < replies.length) line.resolve(one, replies[place] as Reply | PromiseLike<Reply>);
        else line.reject(one, new Error(`a batch of ${waiting.length} got ${replies.length} answers`));
      });
    } catch (error) {
      for (const one of waiting) line.reject(one, error);
    }
  };

  return (request) =>
    new Promise((resolve, reject) => {
      if (!line.join(request, resolve, reject) || out >= (limits.width ?? 1)) return;
      out += 1;
      void pump();
    });
}

const byTenants = <Request, Reply>(waiting: Waiting<Request, Reply>[]): Waiting<Request, Reply>[][] =>
  waiting.every(({ tenants }) => tenants === undefined) ? [waiting] : [...Map.groupBy(waiting, ({ tenants }) => tenants?.join()).values()];
