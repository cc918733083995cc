export interface BatchLimits<Request> {
  maxItems: number;
  /** Together with `sizeOf`: a batch holds at most this many bytes, but always at least one request. */
  maxBytes?: number;
  sizeOf?: (request: Request) => number;
  /** Batches that may be out at the same time; 1 unless said otherwise. */
  width?: number;
}

interface Waiting<Request, Reply> {
  request: Request;
  resolve: (reply: Reply | PromiseLike<Reply>) => void;
  reject: (error: unknown) => void;
}

/**
 * What arrives while a batch is out travels together in the next one: no timer, so that a lone request waits for nothing.
 * `send` answers in the order of its requests; if it throws, each of them fails with that error. An answer may be a promise: then the next
 * batch does not wait for it.
 */
export function batch<Request, Reply>(
  send: (requests: Request[]) => Promise<readonly (Reply | PromiseLike<Reply>)[]>,
  limits: BatchLimits<Request>,
): (request: Request) => Promise<Reply> {
  const queue: Waiting<Request, Reply>[] = [];
  let out = 0;

  const pump = async (): Promise<void> => {
    // Everything that is ready in this turn of the event loop joins.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const waiting = queue.splice(0, fitting(queue, limits));
      try {
        const replies = await send(waiting.map(({ request }) => request));
        waiting.forEach(({ resolve, reject }, place) => {
          if (place < replies.length) resolve(replies[place] as Reply | PromiseLike<Reply>);
          else reject(new Error(`a batch of ${waiting.length} got ${replies.length} answers`));
        });
      } catch (error) {
        for (const { reject } of waiting) reject(error);
      }
    }
    out -= 1;
  };

  return (request) =>
    new Promise((resolve, reject) => {
      queue.push({ request, resolve, reject });
      if (out >= (limits.width ?? 1)) return;
      out += 1;
      void pump();
    });
}

function fitting<Request>(queue: readonly { request: Request }[], { maxItems, maxBytes, sizeOf }: BatchLimits<Request>): number {
  if (maxBytes === undefined || sizeOf === undefined) return maxItems;
  let bytes = 0;
  const over = queue.findIndex(({ request }) => (bytes += sizeOf(request)) > maxBytes);
  return over === -1 ? maxItems : Math.min(maxItems, Math.max(over, 1));
}
