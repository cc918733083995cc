import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ask, indexOf } from './ask-corpus';
import { folderOf } from './corpus-folder';

const wren = (every: string): string => `# Wren\n\nWren rotates its log files every ${every}.\n`;
const cacheFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-cache-'));
  chmodSync(folder, 0o777);
  return folder;
};

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
/** Only somebody whom permissions do not bind can read a file as it is. */
const asRoot = isRoot ? it : it.skip;

/** As somebody whom permissions bind. */
async function asOther<Result>(work: () => Promise<Result>): Promise<Result> {
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

function guarded(): string {
  const folder = folderOf({ 'a.md': wren('day'), 'b.md': wren('week'), 'sub/c.md': wren('hour') });
  chmodSync(folder, 0o755);
  return folder;
}

describe('documents that may not be read', () => {
  it('are named in the log, as is a folder of them', async () => {
    const folder = guarded();
    chmodSync(join(folder, 'b.md'), 0);
    chmodSync(join(folder, 'sub'), 0);
    const { index, logged } = await asOther(() => indexOf(folder));
    chmodSync(join(folder, 'sub'), 0o755);
    expect(index.documents).toBe(1);
    expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', path: 'b.md', reason: 'it cannot be read (EACCES)' }));
    expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', path: 'sub/', reason: 'the folder cannot be read (EACCES)' }));
    expect(JSON.stringify(logged)).not.toContain(folder);
  });

  it('are all of a folder that cannot be listed: then the question fails', async () => {
    const folder = guarded();
    chmodSync(folder, 0o311);
    await expect(asOther(() => ask(folder))).rejects.toMatchObject({
      errorClass: 'not_called',
      message: expect.stringContaining('EACCES') as string,
    });
    chmodSync(folder, 0o755);
  });

  it('are another worker’s to read, if some of those that cannot be read could not be opened', async () => {
    const folder = folderOf({ 'a.md': wren('day'), 'b.txt': '\0' });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'a.md'), 0);
    await expect(asOther(() => ask(folder))).rejects.toMatchObject({
      errorClass: 'not_called',
      message: expect.stringMatching(/it cannot be read \(EACCES\) \(1 file\)/) as string,
    });
  });

  asRoot('are read by the next process that may, though nothing changed in them', async () => {
    const [folder, cache] = [guarded(), cacheFolder()];
    chmodSync(join(folder, 'b.md'), 0);
    expect((await asOther(() => indexOf(folder, cache))).index.documents).toBe(2);
    expect((await indexOf(folder, cache)).index.documents).toBe(3);
  });

  it('are not read again and again', async () => {
    const [folder, cache] = [guarded(), cacheFolder()];
    chmodSync(join(folder, 'b.md'), 0);
    await asOther(() => indexOf(folder, cache));
    expect((await asOther(() => indexOf(folder, cache))).logged).toEqual([]);
    writeFileSync(join(folder, 'd.md'), wren('month'));
    expect((await asOther(() => indexOf(folder, cache))).logged.map(({ message }) => message)).toEqual([
      'the index of the documents is up to date',
    ]);
    rmSync(join(folder, 'b.md'), { force: true });
  });
});
