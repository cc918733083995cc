import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from '../../src/embedded/postgres';
import { isAlive } from '../../src/embedded/postgres-orphan';
import { eventually } from '../messaging/eventually';
import { stablePort } from './stable-port';

/** The machine stays up, so the system's cache may hold the data; a commit must still outlive the server that answered it. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB' };

/** A PostgreSQL that can crash and come back on its port. */
export class DatabaseServer {
  private server: RunningPostgres | null = null;

  private constructor(
    private readonly port: number,
    readonly dataDir: string,
  ) {}

  static async start(folder: string): Promise<DatabaseServer> {
    const server = new DatabaseServer(await stablePort(), join(folder, 'postgres'));
    await server.start();
    return server;
  }

  get url(): string {
    if (!this.server) throw new Error('the database server is down');
    return this.server.url;
  }

  async start(): Promise<void> {
    this.server = await startPostgres({ dataDir: this.dataDir, port: this.port, settings: SETTINGS, keep: false });
  }

  /** Immediate shutdown: every session is cut off wherever it is, and the next start recovers from the log. */
  async crash(): Promise<void> {
    const pid = this.server?.pid ?? 0;
    process.kill(pid, 'SIGQUIT');
    await eventually(false, async () => isAlive(pid));
    this.server = null;
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }
}
