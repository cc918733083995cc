import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SCRIPT = resolve('deploy/backup/drop-old-backups.sh');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drop-old-backups-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('leaves no backup that is half gone under its name, and the next run takes the rest away', () => {
  const programs = (name: string, texts: Record<string, string>): string => {
    mkdirSync(join(folder, name));
    for (const [program, text] of Object.entries(texts))
      writeFileSync(join(folder, name, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return join(folder, name);
  };
  // What cleans up the archive comes with PostgreSQL, which is not needed for this.
  const cleanup = programs('cleanup', { pg_archivecleanup: 'exit 0' });
  const broken = programs('broken', { rm: 'exit 1' });
  mkdirSync(join(folder, 'wal'));
  for (const name of ['20260101T000000Z', '20260102T000000Z']) {
    mkdirSync(join(folder, 'base', name), { recursive: true });
    writeFileSync(join(folder, 'base', name, 'backup_label'), 'START WAL LOCATION: 0/2000028 (file 000000010000000000000002)\n');
  }
  const run = (PATH: string) => spawnSync('sh', [SCRIPT, folder, '1'], { env: { PATH } }).status;
  expect(run(`${broken}:${cleanup}:${process.env.PATH}`)).toBe(1);
  expect(readdirSync(join(folder, 'base')).filter((name) => /^\d/.test(name))).toEqual(['20260102T000000Z']);
  expect(run(`${cleanup}:${process.env.PATH}`)).toBe(0);
  expect(readdirSync(join(folder, 'base'))).toEqual(['20260102T000000Z']);
});
