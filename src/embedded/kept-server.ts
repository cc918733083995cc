import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const STOP_TIMEOUT_MS = 30_000;
/** Pause before the next start, so that a disk that stays full is not tried constantly. */
const AGAIN_AFTER_MS = 2_000;

/** How to restart a server, and how to report its end. */
export interface Revival {
  /** The last output of the server. */
  lastWords: () => Promise<string>;
  start: () => Promise<ChildProcess>;
  tell: (said: string) => void;
}

/** A server that is kept running until it is stopped. */
export class KeptServer {
  private isStopped = false;
  private readonly leaving = new AbortController();
  private readonly kept: Promise<void>;

  /** @param revival null: a server that ends stays ended */
  constructor(
    private server: ChildProcess,
    revival: Revival | null,
  ) {
    this.kept = revival ? this.keep(revival) : Promise.resolve();
  }

  /** Ends the server's sessions and waits until it has stopped. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.leaving.abort();
    await this.end();
    await this.kept;
    // It may have been restarted just now.
    await this.end();
  }

  private async end(): Promise<void> {
    const { server } = this;
    if (hasEnded(server)) return;
    const impatience = setTimeout(() => server.kill('SIGQUIT'), STOP_TIMEOUT_MS);
    server.kill('SIGINT');
    await once(server, 'exit');
    clearTimeout(impatience);
  }

  /** Restarts the server: PostgreSQL ends when it cannot recover, as on a full disk, and does not come back by itself. */
  private async keep({ lastWords, start, tell }: Revival): Promise<void> {
    // If it was stopped during the start, `stop` ends the new server.
    while (!this.isStopped) {
      const servesSince = performance.now();
      if (!hasEnded(this.server)) await once(this.server, 'exit');
      if (this.isStopped) return;
      tell(await lastWords().catch(({ message }: Error) => message));
      if (performance.now() - servesSince < AGAIN_AFTER_MS) await this.pause();
      await this.startAgain(start, tell);
    }
  }

  private async startAgain(start: Revival['start'], tell: Revival['tell']): Promise<void> {
    while (!this.isStopped) {
      try {
        this.server = await start();
        return;
      } catch (error) {
        tell((error as Error).message);
      }
      await this.pause();
    }
  }

  private pause(): Promise<void> {
    return delay(AGAIN_AFTER_MS, undefined, { signal: this.leaving.signal }).catch(() => undefined);
  }
}

export const hasEnded = (server: ChildProcess): boolean => server.exitCode !== null || server.signalCode !== null;
