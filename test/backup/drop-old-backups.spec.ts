import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SCRIPT = resolve('deploy/backup/drop-old-backups.sh');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drop-old-backups-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes programs of these texts, to be found before those of the machine. */
function programs(name: string, texts: Record<string, string>): string {
  mkdirSync(join(folder, name));
  for (const [program, text] of Object.entries(texts)) writeFileSync(join(folder, name, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return join(folder, name);
}

function backup(name: string, firstPiece: string): void {
  mkdirSync(join(folder, 'base', name), { recursive: true });
  writeFileSync(join(folder, 'base', name, 'backup_label'), `START WAL LOCATION: 0/2000028 (file ${firstPiece})\n`);
}

const run = (count: number, PATH: string) =>
  spawnSync('sh', [SCRIPT, folder, String(count)], { env: { PATH: `${PATH}:${process.env.PATH}` }, encoding: 'utf8' });

it('leaves no backup that is half gone under its name, and the next run takes the rest away', () => {
  // What cleans up the archive comes with PostgreSQL, which is not needed for this.
  const cleanup = programs('cleanup', { pg_archivecleanup: 'exit 0' });
  const broken = programs('broken', { rm: 'exit 1' });
  mkdirSync(join(folder, 'wal'));
  for (const name of ['20260101T000000Z', '20260102T000000Z']) backup(name, '000000010000000000000002');
  expect(run(1, `${broken}:${cleanup}`).status).toBe(1);
  expect(readdirSync(join(folder, 'base')).filter((name) => /^\d/.test(name))).toEqual(['20260102T000000Z']);
  expect(run(1, cleanup).status).toBe(0);
  expect(readdirSync(join(folder, 'base'))).toEqual(['20260102T000000Z']);
});

it('keeps what a newer backup needs that begins earlier in the log, on the timeline after a restore', () => {
  const cleanup = programs('cleanup', { pg_archivecleanup: 'echo "from $2"' });
  mkdirSync(join(folder, 'wal'));
  backup('20260101T000000Z', '000000010000000000000002');
  backup('20260102T000000Z', '000000010000000100000003');
  backup('20260103T000000Z', '0000000200000000000000F7');
  backup('20260104T000000Z', '000000020000000100000001');
  const { status, stdout } = run(3, cleanup);
  expect(status).toBe(0);
  expect(stdout).toContain('from 0000000200000000000000F7\n');
});

it('leaves the archive as it is if one kept backup does not say where it begins', () => {
  const cleanup = programs('cleanup', { pg_archivecleanup: 'echo "from $2"' });
  mkdirSync(join(folder, 'wal'));
  backup('20260101T000000Z', '000000010000000000000002');
  backup('20260102T000000Z', '');
  const { status, stdout, stderr } = run(2, cleanup);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('20260102T000000Z/backup_label does not say where the backup begins');
});

it('takes away what a killed archiver left days ago, and nothing that is being written', () => {
  const cleanup = programs('cleanup', { pg_archivecleanup: 'exit 0' });
  mkdirSync(join(folder, 'wal'));
  const [old, young, piece] = ['.000000010000000000000002.4711', '.000000010000000000000003.abcdefgh', '000000010000000000000002'];
  // Of a file server: somebody still has the file open.
  const others = '.nfs00000000000400000002';
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
  for (const name of [old, young, piece, others]) writeFileSync(join(folder, 'wal', name), 'some');
  for (const name of [old, piece, others]) utimesSync(join(folder, 'wal', name), twoDaysAgo, twoDaysAgo);
  backup('20260101T000000Z', piece);
  expect(run(1, cleanup).status).toBe(0);
  expect(readdirSync(join(folder, 'wal')).sort()).toEqual([young, others, piece]);
});

it('cleans up the archive also where what a killed archiver left cannot be removed, and says so', () => {
  const cleanup = programs('cleanup', {
    pg_archivecleanup: 'echo "from $2"',
    rm: 'case $* in */wal/*) echo "rm: busy" >&2; exit 1;; esac\nexec /bin/rm "$@"',
  });
  mkdirSync(join(folder, 'wal'));
  const [left, piece] = [join(folder, 'wal', '.00000002.history.4711'), '000000010000000000000002'];
  writeFileSync(left, 'some');
  utimesSync(left, 1, 1);
  backup('20260101T000000Z', piece);
  const { status, stdout, stderr } = run(1, cleanup);
  expect([status, stdout]).toEqual([0, `from ${piece}\n`]);
  expect(stderr).toMatch(/rm: busy\n.*could not be removed/);
});
