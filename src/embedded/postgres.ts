import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasEnded, KeptServer } from './kept-server';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries';
import { CLEAN_ENVIRONMENT, createCluster, PASSWORD_FILE, SUPERUSER } from './postgres-cluster';
import { findOwnedServer, OWNER_SETTING, readLock, releaseDataFolder } from './postgres-orphan';

export interface PostgresOptions {
  /** Folder of the cluster; created if it is missing. */
  dataDir: string;
  /** Default: a free port of the loopback interface. */
  port?: number;
  /** Server settings such as `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** Default: the PostgreSQL that `npm ci` installed. */
  binaries?: PostgresBinaries;
  /**
   * true: the data stays, protected by a generated password, and a Ctrl-C does not end the server before `stop`.
   * false: a temporary cluster that trusts everybody on this machine; `stop` removes it.
   */
  keep: boolean;
  /**
   * Called with the server's last output when it ends by itself, and for each failed restart; restarts are tried until `stop`. Without this
   * function the server is not restarted.
   */
  whenEnded?: (said: string) => void;
}

export interface RunningPostgres {
  /** URL of the superuser on the database `postgres`. */
  url: string;
  /** The process id of the first server, before any restart. */
  pid: number;
  port: number;
  /** Ends the server's sessions, waits until it has stopped, and removes a temporary cluster. */
  stop(): Promise<void>;
}

const LOG_FILE = 'server.log';
const START_TIMEOUT_MS = 60_000;

/** Listens on the loopback interface only. Logs no statements and row values, as they may hold content. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};

/**
 * Starts a PostgreSQL and resolves once it accepts connections. First stops a server that a killed process
 * left on the same data folder.
 *
 * @throws Error if a live process uses the folder, if it holds something else, or if the server does not start.
 */
export const startPostgres = async (options: PostgresOptions): Promise<RunningPostgres> => {
  const dataDir = resolve(options.dataDir);
  const binaries = options.binaries ?? (await findPostgresBinaries());
  await releaseDataFolder(dataDir);
  const runAs = await createCluster(binaries, dataDir, options.keep);
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const port = options.port ?? (await findFreePort());
    const settings = Object.entries({ ...SETTINGS, ...options.settings, port: String(port), [OWNER_SETTING]: String(process.pid) });
    const command = [...runAs.prefix, binaries.postgres, '-D', dataDir, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
    const server = await spawnServer(command, dataDir, options.keep);
    const failure = await waitUntilReady(server, dataDir, deadline);
    if (failure === null) return running(server, port, { ...options, dataDir }, command);
    if (performance.now() > deadline || !mayPass(failure, options)) {
      throw new Error(
        `The embedded PostgreSQL in ${dataDir} did not start on port ${port}:\n${failure}\n` +
          'Remove the cause named above, or set DATABASE_URL to a PostgreSQL server.',
      );
    }
    await delay(100);
  }
};

/** Superuser's URL of the server that a live process, such as the running service, has started on the folder; null if there is none. */
export const findRunningPostgres = async (dataDir: string): Promise<string | null> => {
  const folder = resolve(dataDir);
  const server = await findOwnedServer(folder);
  return server && urlOf(server.port, folder, true);
};

const spawnServer = async (command: string[], dataDir: string, keep: boolean): Promise<ChildProcess> => {
  const log = await open(join(dataDir, LOG_FILE), 'w', 0o600);
  try {
    const [program = '', ...args] = command;
    // Detached, since a Ctrl-C reaches the whole foreground group, and draining requests still need the database.
    const server = spawn(program, args, { cwd: '/', env: CLEAN_ENVIRONMENT, stdio: ['ignore', log.fd, log.fd], detached: keep });
    await once(server, 'spawn');
    return server;
  } finally {
    await log.close();
  }
};

/** Worth another try: sessions of a killed server will end, or another program took the free port. */
const mayPass = (failure: string, { port }: PostgresOptions): boolean =>
  failure.includes('shared memory block') || (port === undefined && failure.includes('could not bind'));

/** Null once the server accepts connections, or else its output before it ended. */
const waitUntilReady = async (server: ChildProcess, dataDir: string, deadline: number): Promise<string | null> => {
  while (!hasEnded(server)) {
    const lock = await readLock(dataDir);
    // A lock with another pid is stale.
    if (lock.pid === server.pid && lock.isReady) return null;
    if (performance.now() > deadline) {
      server.kill('SIGQUIT');
      await once(server, 'exit');
      return `not ready after ${START_TIMEOUT_MS / 1000} s`;
    }
    await delay(10);
  }
  return lastWords(dataDir);
};

const lastWords = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, LOG_FILE), 'utf8')).split('\n').slice(-12).join('\n').trim();

/** @throws Error with what the server said, unless it serves */
const startAgain = async (command: string[], dataDir: string): Promise<ChildProcess> => {
  const server = await spawnServer(command, dataDir, true);
  const failure = await waitUntilReady(server, dataDir, performance.now() + START_TIMEOUT_MS);
  if (failure !== null) throw new Error(failure);
  return server;
};

const running = async (
  server: ChildProcess,
  port: number,
  { dataDir, keep, whenEnded }: PostgresOptions,
  command: string[],
): Promise<RunningPostgres> => {
  const url = await urlOf(port, dataDir, keep);
  const revival = whenEnded && { lastWords: () => lastWords(dataDir), start: () => startAgain(command, dataDir), tell: whenEnded };
  const kept = new KeptServer(server, revival ?? null);
  const stop = async (): Promise<void> => {
    await kept.stop();
    if (!keep) await rm(dataDir, { recursive: true, force: true });
  };
  return { url, pid: server.pid ?? 0, port, stop };
};

const urlOf = async (port: number, dataDir: string, withPassword: boolean): Promise<string> => {
  const credentials = withPassword ? `${SUPERUSER}:${await readFile(join(dataDir, PASSWORD_FILE), 'utf8')}` : SUPERUSER;
  return `postgresql://${credentials}@127.0.0.1:${port}/postgres`;
};

const findFreePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};
