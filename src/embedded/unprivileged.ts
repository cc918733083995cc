import { spawnSync } from 'node:child_process';

/** How to start a program that refuses to run as root. */
export interface Unprivileged {
  /** Prefix of the command line; empty for a normal user. */
  prefix: string[];
  /** Required owner of the files that the program writes; null for no change. */
  owner: { uid: number; gid: number } | null;
}

const NOBODY = 65534;

/** A user namespace in which root's files belong to nobody: works below folders that are closed to others. */
const inUserNamespace: Unprivileged = {
  prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
  owner: { uid: 0, gid: 0 },
};

/** Another user with root's right to enter closed folders, for containers, which often refuse user namespaces. */
const asUser = (uid: number, gid: number): Unprivileged => ({
  prefix: [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    // Without it access(2) ignores that right, and initdb checks its own program with access(2).
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--',
  ],
  owner: { uid, gid },
});

/**
 * Chooses how root starts `program` so that it can write to `folder`. A folder that belongs to a user stays with that user.
 *
 * @throws Error if no way works here.
 */
export const chooseUnprivileged = (program: string, folder: { path: string; uid: number; gid: number }): Unprivileged => {
  if (process.getuid?.() !== 0) return { prefix: [], owner: null };
  const ways = folder.uid === 0 ? [inUserNamespace, asUser(NOBODY, NOBODY)] : [asUser(folder.uid, folder.gid)];
  const refusals: string[] = [];
  for (const way of ways) {
    const [command = '', ...args] = [...way.prefix, program, '--version'];
    const probe = spawnSync(command, args, { cwd: '/', encoding: 'utf8' });
    if (probe.status === 0) return way;
    refusals.push(`${command}: ${(probe.error?.message ?? probe.stderr).trim()}`);
  }
  throw new Error(
    `PostgreSQL refuses to run as root, and no other user can run it for the data folder ${folder.path} (${refusals.join('; ')}). ` +
      'Start this program as a normal user, or set DATABASE_URL to a PostgreSQL server.',
  );
};
