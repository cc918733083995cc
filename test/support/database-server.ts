import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres, type PostgresOptions, type RunningPostgres } from '../../src/embedded/postgres';
import { isAlive } from '../../src/embedded/postgres-orphan';
import { eventually } from '../messaging/eventually';
import { stablePort } from './stable-port';

/** The machine stays up, so the system's cache may hold the data; a commit must still outlive the server that answered it. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' };

export type DatabaseOptions = Pick<PostgresOptions, 'binaries' | 'settings'>;

/** A PostgreSQL that can crash and come back on its port. */
export class DatabaseServer {
  private server: RunningPostgres | null = null;

  private constructor(
    private readonly port: number,
    readonly dataDir: string,
    private readonly options: DatabaseOptions,
  ) {}

  static async start(folder: string, options: DatabaseOptions = {}): Promise<DatabaseServer> {
    const server = new DatabaseServer(await stablePort(), join(folder, 'postgres'), options);
    await server.start();
    return server;
  }

  get url(): string {
    if (!this.server) throw new Error('the database server is down');
    return this.server.url;
  }

  get pid(): number {
    return this.server?.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.server !== null && isAlive(this.pid);
  }

  async start(): Promise<void> {
    const { binaries, settings } = this.options;
    const { dataDir, port } = this;
    this.server = await startPostgres({ dataDir, port, binaries, settings: { ...SETTINGS, ...settings }, keep: false });
  }

  /** Immediate shutdown: every session is cut off wherever it is, and the next start recovers from the log. */
  crash(): Promise<void> {
    return this.end('SIGQUIT');
  }

  /** As for a failover: every session is told, what was committed is written, and the server ends. */
  shutDown(): Promise<void> {
    return this.end('SIGINT');
  }

  /**
   * Stops the server and its sessions; it starts none while it stands still.
   * @returns what was stopped
   */
  freeze(): number[] {
    this.signal([this.pid], 'SIGSTOP');
    const isSession = (pid: string) => /^\d+$/.test(pid) && parentOf(Number(pid)) === this.pid;
    const stopped = [this.pid, ...readdirSync('/proc').filter(isSession).map(Number)];
    this.signal(stopped, 'SIGSTOP');
    return stopped;
  }

  goOn(stopped: readonly number[]): void {
    this.signal([...stopped].reverse(), 'SIGCONT');
  }

  signal(pids: readonly number[], signal: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {
        // A session that has ended meanwhile.
      }
    }
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const pid = this.pid;
    if (this.isRunning) process.kill(pid, signal);
    await eventually(false, async () => this.isRunning, 60_000);
    this.server = null;
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }
}

const parentOf = (pid: number): number | null => {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) \S /, '')
        .split(' ')[0],
    );
  } catch {
    return null;
  }
};
