import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SUITE = 'trixie';
/** What the Node of npm is linked against. It brings its own certificates and ICU. */
const PACKAGES = ['libc6', 'libgcc-s1', 'libstdc++6'];
const RECORDED = resolve('image/debian-packages.txt');
/** Run by mmdebstrap when it has fetched them. */
const LIST = 'cd "$1/var/cache/apt/archives" && sha256sum *.deb > "$RESEARCH_PACKAGES"';
const ACCOUNT = 'research:x:65532:65532::/:/sbin/nologin\n';

/**
 * Fills a folder with the libraries and Node, and nothing else: no shell, no package manager, no npm.
 * @param record take the archive's present packages for the recorded ones; otherwise a difference stops the build
 * @throws Error that names what is missing on this machine, or how the packages differ
 */
export async function stageSystem(root: string, { record }: { record: boolean }): Promise<void> {
  if (spawnSync('mmdebstrap', ['--version']).status !== 0)
    throw new Error('make image needs mmdebstrap: install it with apt-get install mmdebstrap');
  const mirror = spawnSync('sh', ['bench/servers/debian-mirror.sh'], { encoding: 'utf8' });
  if (mirror.status !== 0) throw new Error("make image needs a Debian archive, and there is none in the sources of this machine's apt");
  const folder = await mkdtemp(join(tmpdir(), 'research-image-'));
  const [unpacked, list] = [join(folder, 'root'), join(folder, 'packages.txt')];
  try {
    const what = ['--variant=extract', `--include=${PACKAGES.join(',')}`, `--extract-hook=${LIST}`];
    execFileSync('mmdebstrap', ['--quiet', ...what, SUITE, unpacked, mirror.stdout.trim()], {
      env: { ...process.env, RESEARCH_PACKAGES: list },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await requireRecorded(await readFile(list, 'utf8'), record);
    await mkdir(root, { recursive: true });
    for (const part of ['usr/lib', 'usr/lib64', 'usr/share/doc'])
      await cp(join(unpacked, part), join(root, part), { recursive: true, verbatimSymlinks: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  for (const name of ['lib', 'lib64']) await symlink(`usr/${name}`, join(root, name));
  await mkdir(join(root, 'usr/local/bin'), { recursive: true });
  await cp(resolve(`node_modules/node-linux-${process.arch}/bin/node`), join(root, 'usr/local/bin/node'));
  for (const folder of ['tmp', 'var/cache/research', 'etc']) await mkdir(join(root, folder), { recursive: true });
  // So that any user can write there even if no volume is mounted.
  for (const folder of ['tmp', 'var/cache/research']) await chmod(join(root, folder), 0o1777);
  await writeFile(join(root, 'etc/passwd'), ACCOUNT);
  await writeFile(join(root, 'etc/group'), 'research:x:65532:\n');
}

/** Packages with other digests would make a different image from the same commit. */
async function requireRecorded(found: string, record: boolean): Promise<void> {
  if (record) await writeFile(RECORDED, found);
  const recorded = await readFile(RECORDED, 'utf8').catch(() => '');
  if (found !== recorded)
    throw new Error(
      `the archive's packages are no longer those that image/debian-packages.txt records: make image RECORD=1 takes the new ones\n${found}`,
    );
}
