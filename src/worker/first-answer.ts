export interface Repetition {
  /** From then on, by `performance.now()`, nothing is sent again. */
  until: number;
  /** After so long in silence the next try is sent; the earlier ones are still heard. */
  againMs: number;
  /** How long to wait after a try that failed; null: whoever asks repeats it. */
  afterFailureMs: (tries: number) => number | null;
  /** Whether a failure is an answer for ever. */
  isFinal: (error: unknown) => boolean;
  /** Of an answer that counts only if no other try that is still open is answered otherwise. */
  isTentative?: (reply: unknown) => boolean;
}

/** Asks, and asks again: the first answer of any try counts that is not tentative. Rejects with the last failure once no other try is to come or still open. */
export function firstAnswer<Reply>(ask: (earlierTries: number) => Promise<Reply>, repetition: Repetition): Promise<Reply> {
  const { until, againMs, afterFailureMs, isFinal, isTentative = () => false } = repetition;
  return new Promise((resolve, reject) => {
    let tries = 0;
    let open = 0;
    let isSettled = false;
    let tentative: { reply: Reply } | null = null;
    let next: NodeJS.Timeout | null = null;
    const send = (): void => {
      const number = (tries += 1);
      open += 1;
      plan(againMs);
      ask(number - 1).then(
        (reply) => {
          open -= 1;
          if (open === 0 || !isTentative(reply)) return settle(reply);
          tentative ??= { reply };
          plan(null);
        },
        (error: unknown) => {
          open -= 1;
          if (isSettled) return;
          if (tentative) return open === 0 ? settle(tentative.reply) : undefined;
          const pauseMs = isFinal(error) ? null : afterFailureMs(number);
          // Of the tries that are open together the latest decides about the next one.
          if (pauseMs !== null && number === tries) plan(pauseMs);
          if (!isFinal(error) && (open > 0 || (pauseMs !== null && next !== null))) return;
          isSettled = true;
          plan(null);
          reject(error);
        },
      );
    };
    const settle = (reply: Reply): void => {
      isSettled = true;
      plan(null);
      resolve(reply);
    };
    const plan = (delayMs: number | null): void => {
      if (next) clearTimeout(next);
      next = delayMs === null || performance.now() + delayMs >= until ? null : setTimeout(send, delayMs);
    };
    send();
  });
}
