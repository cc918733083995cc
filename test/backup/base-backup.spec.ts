import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../messaging/eventually';

const SCRIPT = resolve('deploy/backup/base-backup.sh');
const PSQL = `case "$*" in *archive_mode*) echo on ;; *) echo f ;; esac`;
/** Writes for as long as it is let, and says when it was told to end. */
const BEGUN = 'echo "PG_VERSION" >"$pgdata/PG_VERSION"';
const ENDLESS = `trap 'echo told >"$TOLD"; exit 1' TERM; while [ -d "$pgdata" ]; do ${BEGUN}; sleep 0.05; done`;
/** A backup that waits for an archive which never has its log. */
const ARCHIVED_NEVER = `${BEGUN}; echo 'START WAL LOCATION: 0/2000028 (file 000000010000000000000002)' >"$pgdata/backup_label"`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'base-backup-'));
  for (const made of ['programs', 'backups', 'backups/wal']) mkdirSync(join(folder, made));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, text: string): void {
  const file = join(folder, 'programs', name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
}

it.each([
  ['while the server sends', ENDLESS, 'SIGTERM', 143, true],
  ['while the server sends', ENDLESS, 'SIGHUP', 129, true],
  ['while it waits for the archive', ARCHIVED_NEVER, 'SIGTERM', 143, false],
] as const)('a backup that is stopped %s leaves nothing half-written (%#)', async (_, sends, signal, code, tells) => {
  program('psql', PSQL);
  program('pg_verifybackup', '');
  program('pg_basebackup', `while [ "$1" != --pgdata ]; do shift; done; pgdata=$2; mkdir -p "$pgdata"; ${sends}`);
  const [backups, told] = [join(folder, 'backups'), join(folder, 'told')];
  const PATH = `${join(folder, 'programs')}:${process.env.PATH}`;
  const running = spawn('sh', [SCRIPT, backups], { env: { PATH, DATABASE_URL: 'postgres://db/postgres', TOLD: told }, stdio: 'ignore' });
  const ended = once(running, 'exit');
  const written = () =>
    readdirSync(backups, { recursive: true }).some((file) => String(file).endsWith(tells ? 'PG_VERSION' : 'backup_label'));
  await eventually(true, async () => written());
  running.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(existsSync(told)).toBe(tells);
  expect(readdirSync(join(backups, 'base'))).toEqual([]);
});
