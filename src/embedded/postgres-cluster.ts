import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chown, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresBinaries } from './postgres-binaries';
import { isAlive } from './postgres-orphan';
import { chooseUnprivileged, type Unprivileged } from './unprivileged';

export const SUPERUSER = 'research';
/** File with the password, in the data folder of a permanent cluster, readable by its owner only. */
export const PASSWORD_FILE = 'password';

/** Removes PostgreSQL's own variables from the environment and makes its messages English. */
export const CLEAN_ENVIRONMENT = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };

/**
 * Makes sure that `dataDir` holds a complete cluster. A new one is created beside it and renamed, so that a crash
 * never leaves an incomplete cluster.
 *
 * @returns how to start the server on it.
 * @throws Error if the folder holds something else.
 */
export const createCluster = async (binaries: PostgresBinaries, dataDir: string, withPassword: boolean): Promise<Unprivileged> => {
  await mkdir(dirname(dataDir), { recursive: true });
  await removeUnfinished(dataDir);
  if (await isCluster(dataDir)) return chooseUnprivileged(binaries.postgres, { path: dataDir, ...(await stat(dataDir)) });

  if ((await readdir(dataDir).catch(() => [])).length > 0) {
    throw new Error(
      `The data folder ${dataDir} is not empty and holds no PostgreSQL cluster. Empty it, or set DATA_DIR to another folder.`,
    );
  }
  const staging = `${dataDir}.new-${process.pid}`;
  await mkdir(staging, { mode: 0o700 });
  const runAs = chooseUnprivileged(binaries.postgres, { path: dataDir, ...(await stat(staging)) });
  await initialize(binaries, staging, withPassword, runAs);
  await rename(staging, dataDir);
  return runAs;
};

const initialize = async (binaries: PostgresBinaries, folder: string, withPassword: boolean, runAs: Unprivileged): Promise<void> => {
  const give = async (path: string): Promise<void> => {
    if (runAs.owner) await chown(path, runAs.owner.uid, runAs.owner.gid);
  };
  await give(folder);
  const passwordFile = `${folder}.${PASSWORD_FILE}`;
  if (withPassword) {
    await writeFile(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
    await give(passwordFile);
  }
  const authentication = withPassword ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`] : ['--auth=trust', '--no-sync'];
  const args = ['-D', folder, '-U', SUPERUSER, '--encoding=UTF8', '--locale=C', ...authentication];
  const [program = '', ...rest] = [...runAs.prefix, binaries.initdb, ...args];
  await promisify(execFile)(program, rest, { cwd: '/', env: CLEAN_ENVIRONMENT }).catch(async (error: Error & { stderr?: string }) => {
    await Promise.all([folder, passwordFile].map((path) => rm(path, { recursive: true, force: true })));
    throw new Error(
      `A PostgreSQL cluster cannot be made in ${dirname(folder)}: ${error.stderr?.trim() || error.message}\n` +
        'Remove the cause named above, or set DATA_DIR to another folder, or DATABASE_URL to a PostgreSQL server.',
      { cause: error },
    );
  });
  if (withPassword) await rename(passwordFile, join(folder, PASSWORD_FILE));
};

const isCluster = (dataDir: string): Promise<boolean> =>
  access(join(dataDir, 'PG_VERSION')).then(
    () => true,
    () => false,
  );

/** Removes clusters that crashed processes left incomplete. */
const removeUnfinished = async (dataDir: string): Promise<void> => {
  const prefix = `${basename(dataDir)}.new-`;
  for (const name of await readdir(dirname(dataDir))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (pid === process.pid || !isAlive(pid)) await rm(join(dirname(dataDir), name), { recursive: true, force: true });
  }
};
