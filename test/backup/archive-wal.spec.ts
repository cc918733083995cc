import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
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

describe('a try', () => {
  const NAME = '000000010000000000000002';
  const content = Buffer.alloc(300_000, 7);
  let [piece, archive, programs] = ['', '', ''];
  beforeEach(() => {
    [piece, archive, programs] = [join(folder, NAME), join(folder, 'wal'), join(folder, 'programs')];
    writeFileSync(piece, content);
    for (const made of [archive, programs]) mkdirSync(made);
  });
  const PATH = (): string => `${programs}:${process.env.PATH}`;
  const run = () => spawnSync('sh', [SCRIPT, piece, archive], { env: { PATH: PATH() }, encoding: 'utf8' });
  /** In place of a program of the machine; `"$@"` are its arguments. */
  const replace = (program: string, text: string) => writeFileSync(join(programs, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const programOf = (name: string) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  const restore = (program: string) => rmSync(join(programs, program));
  /** Writes some of the piece, says so and then stands still. */
  const standStill = () => replace('dd', `head -c 1000 ${piece}; echo written >&3; exec sleep 60`);
  const begun = async () => {
    const child = spawn('sh', [SCRIPT, piece, archive], {
      ...{ env: { PATH: PATH() }, detached: true },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    await once(child.stdio[3] as Readable, 'data');
    return {
      pid: child.pid ?? 0,
      end: async (signal: NodeJS.Signals) => {
        const ended = once(child, 'exit');
        // To the whole group, as PostgreSQL does.
        process.kill(-(child.pid ?? 0), signal);
        return (await ended) as [number | null, string | null];
      },
    };
  };

  it.each(['SIGTERM', 'SIGQUIT', 'SIGINT', 'SIGHUP'] as const)('that PostgreSQL ends by %s leaves nothing', async (signal) => {
    standStill();
    const ended = await (await begun()).end(signal);
    expect(ended).not.toEqual([0, null]);
    expect(readdirSync(archive)).toEqual([]);
  });

  it('that was killed leaves what the next one removes, and never the name of a whole piece', async () => {
    standStill();
    await (await begun()).end('SIGKILL');
    const [left, ...others] = readdirSync(archive);
    expect([left, others]).toEqual([expect.stringMatching(/^\.0{7}1/), []]);
    restore('dd');
    expect(run().status).toBe(0);
    expect(readdirSync(archive)).toEqual([NAME]);
    expect(readFileSync(join(archive, NAME))).toEqual(content);
  });

  it('removes what a killed one left also where the piece is there already', () => {
    expect(run().status).toBe(0);
    writeFileSync(join(archive, `.${NAME}.4711`), 'half');
    expect(run().status).toBe(0);
    expect(readdirSync(archive)).toEqual([NAME]);
  });

  it('does not put what it has not written under the name of the piece, though another one removed its file', () => {
    replace('ln', `rm -f ${archive}/.${NAME}.*; exec ${programOf('ln')} "$@"`);
    expect(run().status).not.toBe(0);
    expect(readdirSync(archive)).toEqual([]);
  });

  it.each([
    ['another', 'theirs', 1],
    ['the same', '', 0],
  ])('that finds %s piece under the name only when it is written does not replace it', (_, theirs, status) => {
    const other = join(folder, 'theirs');
    writeFileSync(other, theirs || content);
    replace('ln', `cp ${other} ${archive}/${NAME}; exec ${programOf('ln')} "$@"`);
    const tried = run();
    expect([tried.status, tried.stderr.includes('with other content')]).toEqual([status, status === 1]);
    expect(readdirSync(archive)).toEqual([NAME]);
    expect(readFileSync(join(archive, NAME))).toEqual(readFileSync(other));
  });

  it('needs nothing of dd and mv that busybox has not, and shows what dd says', () => {
    replace('dd', `case $* in *excl*) echo "dd: bad conversion" >&2; exit 1;; esac; exec ${programOf('dd')} "$@"`);
    replace('mv', 'exit 1');
    expect(run()).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(join(archive, NAME))).toEqual(content);
    rmSync(join(archive, NAME));
    replace('dd', 'echo "dd: No space left on device" >&2; exit 1');
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('could not be written: dd: No space left') as string });
    expect(readdirSync(archive)).toEqual([]);
  });

  it('that cannot put its copy in place says why, and blames no other cluster', () => {
    replace('ln', 'echo "ln: Read-only file system" >&2; exit 1');
    expect(run()).toMatchObject({
      status: 1,
      stderr: `archive-wal: ${archive}/${NAME} could not be put in place: ln: Read-only file system\n`,
    });
    expect(readdirSync(archive)).toEqual([]);
  });

  it('that cannot compare its piece with the copy that is there says why, and blames no other cluster', () => {
    expect(run().status).toBe(0);
    replace('cmp', 'echo "cmp: Input/output error" >&2; exit 2');
    const { status, stderr } = run();
    expect([status, stderr]).toEqual([1, expect.stringMatching(/could not be compared with .*: cmp: Input\/output error\n$/)]);
  });

  it('keeps a different piece of the same name', () => {
    writeFileSync(join(archive, NAME), 'theirs');
    expect(run()).toMatchObject({ status: 1, stderr: expect.stringContaining('with other content') as string });
    expect(readFileSync(join(archive, NAME), 'utf8')).toBe('theirs');
  });
});
