export interface Repetition {
  /** By `performance.now()`: after it nothing is sent again. */
  until: number;
  /** After this time without an answer, the next try is sent. Answers to earlier tries still count. */
  againMs: number;
  /** The pause after a try that failed; null if the caller repeats it itself. */
  afterFailureMs: (tries: number) => number | null;
  /** Whether asking again is useless after this failure. */
  isFinal: (error: unknown) => boolean;
  /** Whether an answer counts only if no other open try gets a different one. */
  isTentative?: (reply: unknown) => boolean;
}

/**
 * Asks, and asks again: the first answer to any try that is not tentative counts. Rejects with the last failure once no try is open and none is to
 * follow.
 */
export function askRepeatedly<Reply>(ask: (earlierTries: number) => Promise<Reply>, repetition: Repetition): Promise<Reply> {
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
          // If several tries are open, only the latest one schedules the next.
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
