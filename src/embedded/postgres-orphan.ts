import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** PostgreSQL's own lock on a data folder. */
const SERVER_PID_FILE = 'postmaster.pid';
/** A custom server setting that puts the id of the process that started the server on its command line. */
export const OWNER_SETTING = 'research.owner';

const STOP_TIMEOUT_MS = 30_000;

/** The content of the server's lock file, line by line. */
export interface ServerLock {
  /** 0 if there is no lock. */
  pid: number;
  folder: string;
  port: number;
  /** The server accepts connections. */
  isReady: boolean;
}

export const readLock = async (dataDir: string): Promise<ServerLock> => {
  const lines = (await readFile(join(dataDir, SERVER_PID_FILE), 'utf8').catch(() => '')).split('\n');
  const pid = Number(lines[0]);
  return {
    pid: Number.isInteger(pid) && pid > 0 ? pid : 0,
    folder: lines[1] ?? '',
    port: Number(lines[3]),
    isReady: lines[7]?.trim() === 'ready',
  };
};

/** The lock of a server on the data folder if the process that started it is alive; otherwise null. */
export const findOwnedServer = async (dataDir: string): Promise<ServerLock | null> => {
  const lock = await readLock(dataDir);
  const server = lock.pid > 0 && isAlive(lock.pid) ? findServer(lock.pid, lock.folder) : null;
  return server !== null && server.parent === server.owner ? lock : null;
};

/**
 * Stops a server that a killed process left on the data folder. Removes a lock whose process id now belongs to another program.
 *
 * @throws Error if the process that started the server is alive.
 */
export const releaseDataFolder = async (dataDir: string): Promise<void> => {
  const { pid, folder } = await readLock(dataDir);
  // If no such process is alive, leave the lock to the server, which also looks for surviving sessions.
  if (pid === 0 || !isAlive(pid)) return;

  const server = findServer(pid, folder);
  if (server === null) return rm(join(dataDir, SERVER_PID_FILE), { force: true });
  if (server.parent === server.owner) {
    throw new Error(
      `The data folder ${dataDir} is in use by process ${server.owner} (its PostgreSQL is process ${pid}). ` +
        'Stop that process, or set DATA_DIR to another folder.',
    );
  }
  await stopOrphan(pid, folder);
};

/** Whether a process exists, whoever owns it. */
export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const stopOrphan = async (pid: number, serverFolder: string): Promise<void> => {
  process.kill(pid, 'SIGINT');
  const deadline = performance.now() + STOP_TIMEOUT_MS;
  while (findServer(pid, serverFolder) !== null) {
    if (performance.now() > deadline) throw new Error(`The PostgreSQL left behind in ${serverFolder} (process ${pid}) does not stop.`);
    await delay(10);
  }
};

/** The process if it is a server on that folder, with the process that started it and its current parent. If they differ, it is an orphan. */
const findServer = (pid: number, folder: string): { owner: number; parent: number } | null => {
  const { parent, command } = inspectProcess(pid);
  const owner = new RegExp(`${OWNER_SETTING}=(\\d+)`).exec(command)?.[1];
  return command.includes(`-D ${folder} `) ? { owner: Number(owner ?? -1), parent } : null;
};

const inspectProcess = (pid: number): { parent: number; command: string } => {
  try {
    if (process.platform === 'linux') {
      // The name in brackets may hold anything, so read the fields after it: state, parent.
      const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '';
      return { parent: Number(afterName.split(' ')[1]), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
    }
    const [parent = '', ...command] = execFileSync('ps', ['-ww', '-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/);
    return { parent: Number(parent), command: command.join(' ') };
  } catch {
    return { parent: -1, command: '' };
  }
};
