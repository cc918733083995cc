import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SCRIPT = resolve('deploy/backup/archive-wal.sh');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-wal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('says that a piece is archived only once it is on the disk, also where an earlier try has copied it', () => {
  const [piece, archive, broken] = [join(folder, '000000010000000000000001'), join(folder, 'wal'), join(folder, 'broken')];
  writeFileSync(piece, Buffer.alloc(100_000, 7));
  for (const made of [archive, broken]) mkdirSync(made);
  writeFileSync(join(broken, 'sync'), '#!/bin/sh\nexit 1\n');
  chmodSync(join(broken, 'sync'), 0o755);
  const run = (PATH: string) => spawnSync('sh', [SCRIPT, piece, archive], { env: { PATH } }).status;
  const onBrokenDisk = `${broken}:${process.env.PATH}`;
  expect([run(onBrokenDisk), run(onBrokenDisk)]).toEqual([1, 1]);
  expect(readdirSync(archive)).toEqual(['000000010000000000000001']);
  expect(run(process.env.PATH ?? '')).toBe(0);
  expect(readFileSync(join(archive, '000000010000000000000001'))).toEqual(readFileSync(piece));
});
