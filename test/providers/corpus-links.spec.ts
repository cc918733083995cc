import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openWordVectors } from '@lib/language/word-vectors';
import { listDocuments } from '@lib/providers/corpus/folder/folder';
import { IndexUpdate } from '@lib/providers/corpus/index/index-update';
import { KeptIndex } from '@lib/providers/corpus/index/keep-index';

import { ask, indexOf } from './ask-corpus';
import { folderOf } from './corpus-folder';
import { silent } from './silent';

const wren = (every: string): string => `# Wren\n\nWren rotates its log files every ${every}.\n`;
const CITED = /^corpus:\/(?:a|guide\/b)\.md#L3-L3$/;

/** As Kubernetes mounts a ConfigMap: the files lie in a folder of their own, which a link names that is replaced at each change. */
function configMap(files: Readonly<Record<string, string>>): string {
  const real = Object.fromEntries(Object.entries(files).map(([path, content]) => [`..2026_11_27/${path}`, content]));
  const tops = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))];
  return folderOf(real, { '..data': '..2026_11_27', ...Object.fromEntries(tops.map((top) => [top, `..data/${top}`])) });
}

describe('a folder of links to what it hides, as Kubernetes mounts a ConfigMap', () => {
  it('holds their documents, each once and cited by its link', async () => {
    const { markdown, citations } = await ask(configMap({ 'a.md': wren('day'), 'guide/b.md': wren('week') }));
    expect(markdown).toMatch(/^Answering from 2 local documents\./);
    for (const { url } of citations) expect(url).toMatch(CITED);
  });

  it('is read anew once the link behind them leads elsewhere', async () => {
    const [folder, cache] = [configMap({ 'a.md': wren('day') }), folderOf({})];
    await indexOf(folder, cache);
    expect((await indexOf(folder, cache)).logged).toEqual([]);
    mkdirSync(join(folder, '..2026_11_28'));
    writeFileSync(join(folder, '..2026_11_28/a.md'), wren('hour'));
    symlinkSync('..2026_11_28', join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
    rmSync(join(folder, '..2026_11_27'), { recursive: true });
    expect((await ask(folder)).markdown).toContain('every hour');
    expect((await indexOf(folder, cache)).logged).toContainEqual(expect.objectContaining({ documents: 1, read: 1 }));
  });

  it('holds nothing of what lies out of it, or where it leads in a circle', async () => {
    const outside = folderOf({ 'secret.md': wren('secret'), '.hidden/secret.md': wren('hidden secret') });
    const links = { 'one.md': '.way/secret.md', 'two.md': join(outside, '.hidden/secret.md'), three: '.way', four: '.', five: '.in' };
    const folder = folderOf({ 'a.md': wren('day'), '.in/b.md': wren('week') }, { '.way': outside, ...links });
    for (const [name, target] of Object.entries({ again: '../../five', up: '..', 'c.md': '../.way/secret.md' }))
      symlinkSync(target, join(folder, '.in', name));
    const { index } = await indexOf(folder);
    expect(index.content.files.map(({ path }) => path)).toEqual(['a.md', 'five/b.md']);
  });
});

describe('a folder that is moved away while it is indexed', () => {
  const moving = (replacement: Readonly<Record<string, string>> | null) => {
    const path = folderOf({ 'a.md': Buffer.from([0x57, 0, 1, 2]), 'b.md': wren('day'), 'c.md': wren('week') });
    const cacheFolder = folderOf({});
    const warn = (): void => {
      if (existsSync(`${path}-old`)) return;
      renameSync(path, `${path}-old`);
      if (replacement) renameSync(folderOf(replacement), path);
    };
    // The first file is skipped, and told, before the others are read.
    return { path, cacheFolder, opening: new KeptIndex({ path, packages: false }, { cacheFolder, log: { ...silent, warn } }).open() };
  };

  it('is no folder without documents', async () => {
    await expect(moving(null).opening).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is read again where another took its place, and nothing of the mixture is kept', async () => {
    const { path, cacheFolder, opening } = moving({ 'b.md': wren('month'), 'd.md': wren('year') });
    await expect(opening).rejects.toMatchObject({ code: 'it was replaced while it was read' });
    const { index, logged } = await indexOf(path, cacheFolder);
    expect(index.documents).toBe(2);
    expect(logged).toContainEqual(expect.objectContaining({ read: 2 }));
  });
});

describe('a document that becomes something else while its folder is indexed', () => {
  const outside = folderOf({ 'b.md': wren('secret') });
  const CHANGES: [string, string, (folder: string) => void][] = [
    ['a link out of the folder', 'it leads out of the folder', (folder) => symlinkSync(join(outside, 'b.md'), join(folder, 'sub/b.md'))],
    ['a pipe', 'it is no file any more', (folder) => void execFileSync('mkfifo', [join(folder, 'sub/b.md')])],
    ['a folder', 'it is no file any more', (folder) => mkdirSync(join(folder, 'sub/b.md'))],
    ['nothing', 'ENOENT', () => undefined],
    [
      'a giant',
      'it is larger than 2097152 bytes by now',
      (folder) => {
        writeFileSync(join(folder, 'sub/b.md'), wren('giant'));
        truncateSync(join(folder, 'sub/b.md'), 2 ** 30);
      },
    ],
    [
      'one of a folder that has become a link',
      'it leads out of the folder',
      (folder) => {
        rmSync(join(folder, 'sub'), { recursive: true });
        symlinkSync(outside, join(folder, 'sub'));
      },
    ],
  ];

  it.each(CHANGES)('%s is skipped, and the others are read', async (_, why, change) => {
    const folder = { path: folderOf({ 'a.md': wren('day'), 'sub/b.md': wren('week') }), packages: false };
    const listing = await listDocuments(folder);
    rmSync(join(folder.path, 'sub/b.md'));
    change(folder.path);
    const { files } = await new IndexUpdate(folder, null, await openWordVectors(null), silent).run(listing);
    expect(files.map(({ path, skipped }) => [path, skipped])).toEqual([
      ['a.md', null],
      ['sub/b.md', `it cannot be read (${why})`],
    ]);
  });
});
