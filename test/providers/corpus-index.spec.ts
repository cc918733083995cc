import { openWordVectors } from '@lib/language/word-vectors';
import { IndexBuilder, type ReadFile } from '@lib/providers/corpus/index/index-builder';
import { INDEX_VERSION } from '@lib/providers/corpus/index/index-file';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually } from '../messaging/eventually';
import { corpus, indexOf, QUESTION } from './ask-corpus';
import { folderOf, WREN_DOCUMENTS } from './corpus-folder';
import { requestOf } from './request';

const cacheFolder = (): string => mkdtempSync(join(tmpdir(), 'corpus-cache-'));
const indexFile = (cache: string): string => join(cache, readdirSync(cache).find((name) => name.endsWith('.index')) ?? 'none');
const statement = (number: number): string => `# Chapter ${number}\n\nWren rotates log files of kind ${number} at the hour of ${number}.\n`;
const messages = (logged: readonly { message: string }[]): string[] => logged.map(({ message }) => message);

/** What is found, by path, with the index as it is opened by a new process. */
async function found(folder: string, cache: string, term: string) {
  const { index, logged } = await indexOf(folder, cache);
  const hits = index.find(new Map([[term, 1]]), { body: 1, headings: 1, document: 0 }, 50);
  return { paths: hits.flatMap(({ passage }) => index.passage(passage)?.document.path ?? []).sort(), logged };
}

describe('the kept index', () => {
  it('is read again by the next process, which reads no document', async () => {
    const [folder, cache] = [folderOf(WREN_DOCUMENTS), cacheFolder()];
    const first = await indexOf(folder, cache);
    expect(first.logged).toContainEqual(
      expect.objectContaining({ documents: 4, read: 4, message: 'the index of the documents is up to date' }),
    );
    const second = await indexOf(folder, cache);
    expect(second.logged).toEqual([]);
    expect(second.index.content).toEqual({ ...first.index.content, texts: expect.anything() as unknown });
    expect(Buffer.from(second.index.content.texts).equals(Buffer.from(first.index.content.texts))).toBe(true);
  });

  it('is read by its owner alone, as its documents may be', async () => {
    const cache = cacheFolder();
    await indexOf(folderOf(WREN_DOCUMENTS), cache);
    const kept = readdirSync(cache).filter((name) => name.endsWith('.index'));
    expect(kept.map((name) => statSync(join(cache, name)).mode & 0o777)).toEqual([0o600]);
  });

  it('follows documents that come, go, change and move, and reads only those', async () => {
    const folder = folderOf(Object.fromEntries([1, 2, 3, 4, 5].map((number) => [`${number}.md`, statement(number)])));
    const cache = cacheFolder();
    await indexOf(folder, cache);
    writeFileSync(join(folder, '6.md'), statement(6));
    rmSync(join(folder, '1.md'));
    writeFileSync(join(folder, '2.md'), 'Wren keeps badgers.\n');
    renameSync(join(folder, '3.md'), join(folder, 'three.md'));
    const { paths, logged } = await found(folder, cache, 'rotat');
    expect(paths).toEqual(['4.md', '5.md', '6.md', 'three.md']);
    expect(logged).toContainEqual(expect.objectContaining({ documents: 5, read: 3 }));
    expect((await found(folder, cache, 'badger')).paths).toEqual(['2.md']);
    expect((await found(folder, cache, '1')).paths).toEqual([]);
  });

  it('knows a touched document by its content', async () => {
    const [folder, cache] = [folderOf({ '1.md': statement(1), '2.md': statement(2) }), cacheFolder()];
    await indexOf(folder, cache);
    utimesSync(join(folder, '1.md'), new Date(), new Date());
    const { paths } = await found(folder, cache, 'rotat');
    expect(paths).toEqual(['1.md', '2.md']);
    expect((await indexOf(folder, cache)).logged).toEqual([]);
  });

  it('takes the copy of a document when the first one goes', async () => {
    const [folder, cache] = [folderOf({ 'a.md': statement(1), 'b.md': statement(1) }), cacheFolder()];
    expect((await found(folder, cache, 'rotat')).paths).toEqual(['a.md']);
    rmSync(join(folder, 'a.md'));
    expect((await found(folder, cache, 'rotat')).paths).toEqual(['b.md']);
  });

  it('answers from what a process finds later, without a new start', async () => {
    const folder = folderOf(WREN_DOCUMENTS);
    const provider = corpus(folder);
    const answer = async () => {
      const state = await provider.submit(requestOf({ query: QUESTION }));
      return state.state === 'finished' ? provider.parse(state.raw).markdown : '';
    };
    expect(await answer()).not.toContain('new moon');
    writeFileSync(join(folder, 'later.md'), '# Log rotation\n\nWren rotates its log files at new moon.\n');
    await eventually(true, async () => (await answer()).includes('new moon'));
  });

  it.each<[damage: string, reason: string | RegExp, damaged: (file: string) => void]>([
    ['cut', /damaged|no index/, (file) => truncateSync(file, statSync(file).size - 10)],
    ['empty', 'it is no index', (file) => writeFileSync(file, '')],
    ['another file', 'it is no index', (file) => writeFileSync(file, 'x'.repeat(1000))],
    ['damaged', 'it is damaged', (file) => writeFileSync(file, flipped(readFileSync(file), 500))],
    ['damaged in the length of its header', 'it is damaged', (file) => writeFileSync(file, flipped(readFileSync(file), 12))],
    [
      'damaged in the length of its header by the least',
      'it is damaged',
      (file) => writeFileSync(file, withShorterHeader(readFileSync(file))),
    ],
    ['older', /it has version 0, not \d/, (file) => writeFileSync(file, readFileSync(file).fill(0, 8, 12))],
    [
      'of the version before',
      `it has version ${String(INDEX_VERSION - 1)}, not ${String(INDEX_VERSION)}`,
      (file) => writeFileSync(file, readFileSync(file).fill(INDEX_VERSION - 1, 8, 9)),
    ],
  ])('that is %s is built again, and the log says so', async (_, reason, damage) => {
    const [folder, cache] = [folderOf(WREN_DOCUMENTS), cacheFolder()];
    await indexOf(folder, cache);
    damage(indexFile(cache));
    const { index, logged } = await indexOf(folder, cache);
    expect(index.documents).toBe(4);
    expect(messages(logged)).toEqual([
      'the kept index of the documents is not used, and built again',
      'the index of the documents is up to date',
    ]);
    expect(logged[0]?.reason).toEqual(expect.stringMatching(reason));
    expect((await indexOf(folder, cache)).logged).toEqual([]);
  });

  it('is the old one after a crash during the write, of which nothing remains', async () => {
    const [folder, cache] = [folderOf(WREN_DOCUMENTS), cacheFolder()];
    await indexOf(folder, cache);
    const file = indexFile(cache);
    const [left, underWay] = [`${file}.${randomUUID()}`, `${file}.${randomUUID()}`];
    for (const path of [left, underWay]) writeFileSync(path, readFileSync(file).subarray(0, 1000));
    utimesSync(left, new Date(), new Date(Date.now() - 2 * 60 * 60_000));
    expect((await indexOf(folder, cache)).logged).toEqual([]);
    writeFileSync(join(folder, 'later.md'), statement(1));
    await indexOf(folder, cache);
    expect(readdirSync(cache).map((name) => join(cache, name))).not.toContain(left);
    expect(readdirSync(cache).map((name) => join(cache, name))).toContain(underWay);
  });

  it('is one whole index whoever writes it at the same time', async () => {
    const [folder, cache] = [folderOf(WREN_DOCUMENTS), cacheFolder()];
    await Promise.all(Array.from({ length: 6 }, () => indexOf(folder, cache)));
    expect(readdirSync(cache).filter((name) => name.includes('.index'))).toHaveLength(1);
    expect((await indexOf(folder, cache)).logged).toEqual([]);
  });

  it('needs no right to write into the folder of documents', async () => {
    const [folder, cache] = [folderOf({ '1.md': statement(1) }), cacheFolder()];
    chmodSync(folder, 0o555);
    expect((await found(folder, cache, 'rotat')).paths).toEqual(['1.md']);
    expect(readdirSync(folder)).toEqual(['1.md']);
  });

  it('is done without where it cannot be kept', async () => {
    const folder = folderOf({ '1.md': statement(1) });
    const { paths, logged } = await found(folder, join(folder, '1.md', 'cache'), 'rotat');
    expect(paths).toEqual(['1.md']);
    expect(logged).toContainEqual(
      expect.objectContaining({ folder: join(folder, '1.md', 'cache'), message: expect.stringContaining('set CACHE_DIR') as string }),
    );
  });

  it('tells each skipped document once', async () => {
    const [folder, cache] = [folderOf({ '1.md': statement(1), 'binary.md': Buffer.from([0, 1, 2]) }), cacheFolder()];
    expect((await indexOf(folder, cache)).logged).toContainEqual(expect.objectContaining({ path: 'binary.md', reason: 'it is binary' }));
    writeFileSync(join(folder, '2.md'), statement(2));
    expect(messages((await indexOf(folder, cache)).logged)).not.toContain('a document is skipped');
  });
});

function flipped(content: Buffer, at: number): Buffer {
  content[at] = (content[at] ?? 0) ^ 1;
  return content;
}

/** Without a space that fills the header up. */
function withShorterHeader(content: Buffer): Buffer {
  content.writeUInt32LE(content.readUInt32LE(12) - 1, 12);
  return content;
}

it('takes nothing of a document that cannot be kept, so that the others stay where they are', async () => {
  const vectors = await openWordVectors(null);
  const readOf = (path: string, extra: object = {}): ReadFile => {
    const document = { path, title: path, format: 'plain' as const };
    const chunk = { headings: [], text: `North crane of ${path}`, startLine: 1, endLine: 1, ...extra };
    return { path, size: 1, modifiedAt: 1, digest: path, document, passages: [{ document, headings: [], chunks: [chunk] }] };
  };
  const [builder, others] = [new IndexBuilder(vectors), new IndexBuilder(vectors)];
  const toJSON = (): never => {
    throw new RangeError('Invalid string length');
  };
  builder.add(readOf('a.txt'));
  expect(() => builder.add(readOf('too-long.txt', { toJSON }))).toThrow(RangeError);
  builder.add(readOf('b.txt'));
  for (const path of ['a.txt', 'b.txt']) others.add(readOf(path));
  expect(builder.finish()).toEqual(others.finish());
});
