import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** PostgreSQL's own lock on a data folder. */
const SERVER_PID_FILE = 'postmaster.pid';
/** A made-up server setting: it carries the id of the process that started the server on the server's command line. */
export const OWNER_SETTING = 'research.owner';

const STOP_TIMEOUT_MS = 30_000;

/** What the server says of itself in its lock, line by line. */
export interface ServerLock {
  /** 0 if there is no lock. */
  pid: number;
  folder: string;
  port: number;
  /** Connections are accepted. */
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

/** The lock of a server on the data folder whose owner, the process that started it, lives; null if there is none. */
export const findOwnedServer = async (dataDir: string): Promise<ServerLock | null> => {
  const lock = await readLock(dataDir);
  const server = lock.pid > 0 && isAlive(lock.pid) ? findServer(lock.pid, lock.folder) : null;
  return server !== null && server.parent === server.owner ? lock : null;
};

/**
 * Stops the server that a killed process left on the data folder, and removes a lock whose process id now belongs to another program.
 *
 * @throws Error when the process that started the server still lives.
 */
export const releaseDataFolder = async (dataDir: string): Promise<void> => {
  const { pid, folder } = await readLock(dataDir);
  // Without a living process the server judges its own lock: it also looks for sessions that outlived it.
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

/** True for a process that exists, whoever owns it. */
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

/** The process if it is a server on that folder, with the process that started it and its present parent: another one means orphan. */
const findServer = (pid: number, folder: string): { owner: number; parent: number } | null => {
  const { parent, command } = inspectProcess(pid);
  const owner = new RegExp(`${OWNER_SETTING}=(\\d+)`).exec(command)?.[1];
  return command.includes(`-D ${folder} `) ? { owner: Number(owner ?? -1), parent } : null;
};

const inspectProcess = (pid: number): { parent: number; command: string } => {
  try {
    if (process.platform === 'linux') {
      // The name in brackets may hold anything, so fields are counted from behind it: state, parent.
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
