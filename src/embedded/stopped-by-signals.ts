import { EXIT_INTERRUPTED, STOP_SIGNALS } from '../runtime/stop-signals';
import type { RunningPostgres } from './postgres';

/**
 * For a program that does not handle stop signals itself: no signal reaches its server, so the server would stay behind. Until the server is stopped,
 * a signal stops it, even while it starts, and then ends the process.
 */
export async function stoppedBySignals(start: () => Promise<RunningPostgres>): Promise<RunningPostgres> {
  const stopAndEnd = (): void => {
    void starting
      .then((server) => server.stop())
      .catch(() => undefined)
      .finally(() => process.exit(EXIT_INTERRUPTED));
  };
  const forget = (): void => STOP_SIGNALS.forEach((signal) => process.removeListener(signal, stopAndEnd));
  for (const signal of STOP_SIGNALS) process.on(signal, stopAndEnd);
  const starting = start();
  try {
    const server = await starting;
    return { ...server, stop: () => server.stop().finally(forget) };
  } catch (error) {
    forget();
    throw error;
  }
}
