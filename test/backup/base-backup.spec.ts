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
/** A backup that waits until the archive has its log. */
const BEGIN = 'START WAL LOCATION: 0/2000028 (file 000000010000000000000002)';
const ARCHIVED = `${BEGUN}; echo '${BEGIN}' >"$pgdata/backup_label"`;
const RECORD = `${BEGIN}\nSTOP WAL LOCATION: 0/3000000 (file 000000010000000000000003)\n`;

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

/** Makes a backup with these programs in place of PostgreSQL's, in which `sends` is what pg_basebackup does with `$pgdata`. */
function backup(sends: string) {
  program('psql', PSQL);
  program('pg_verifybackup', '');
  program('pg_basebackup', `while [ "$1" != --pgdata ]; do shift; done; pgdata=$2; mkdir -p "$pgdata"; ${sends}`);
  const PATH = `${join(folder, 'programs')}:${process.env.PATH}`;
  const environment = { PATH, DATABASE_URL: 'postgres://db/postgres', TOLD: join(folder, 'told') };
  const running = spawn('sh', [SCRIPT, join(folder, 'backups')], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  running.stderr.on('data', (text: Buffer) => (said += String(text)));
  return { kill: (signal: NodeJS.Signals) => running.kill(signal), ended: once(running, 'close').then(([code]) => ({ code, said })) };
}

const isWritten = (file: string) =>
  eventually(true, async () => readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith(file)));

it.each([
  ['while the server sends', ENDLESS, 'SIGTERM', 143, true],
  ['while the server sends', ENDLESS, 'SIGHUP', 129, true],
  ['while it waits for the archive', ARCHIVED, 'SIGTERM', 143, false],
] as const)('a backup that is stopped %s leaves nothing half-written (%#)', async (_, sends, signal, code, tells) => {
  const running = backup(sends);
  await isWritten(tells ? 'PG_VERSION' : 'backup_label');
  running.kill(signal);
  expect((await running.ended).code).toBe(code);
  expect(existsSync(join(folder, 'told'))).toBe(tells);
  expect(readdirSync(join(folder, 'backups/base'))).toEqual([]);
});

it('what a killed backup left is removed by the next one, and not while its pg_basebackup still writes', async () => {
  const killed = backup(`while [ ! -e "${join(folder, 'enough')}" ]; do ${BEGUN}; sleep 0.05; done; ${BEGUN}`);
  await isWritten('PG_VERSION');
  killed.kill('SIGKILL');
  const tooSoon = await backup(ARCHIVED).ended;
  expect(tooSoon).toEqual({ code: 1, said: expect.stringContaining('another backup is being made') });
  expect(readdirSync(join(folder, 'backups/base'))).toHaveLength(1);
  writeFileSync(join(folder, 'enough'), '');
  await killed.ended;
  writeFileSync(join(folder, 'backups/wal/000000010000000000000002.00000028.backup'), RECORD);
  writeFileSync(join(folder, 'backups/wal/000000010000000000000003'), '');
  expect(await backup(ARCHIVED).ended).toEqual({ code: 0, said: '' });
  expect(readdirSync(join(folder, 'backups/base')).sort()).toEqual(['f']);
});
