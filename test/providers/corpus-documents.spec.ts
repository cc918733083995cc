import { execFileSync } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from '../support/properties';

import { listDocuments } from '@lib/providers/corpus/folder/folder';
import { KeptIndex } from '@lib/providers/corpus/index/keep-index';

import { ask, linesOf } from './ask-corpus';
import { folderOf, WREN_DOCUMENTS } from './corpus-folder';
import { silent } from './silent';

describe('what installed packages hold', () => {
  it('is read without the other versions of a package that packages bring along', async () => {
    const path = folderOf({
      'wren/readme.md': '# Wren',
      'plover/readme.md': '# Plover',
      'plover/node_modules/wren/readme.md': '# Wren 1',
      'plover/node_modules/@birds/rook/readme.md': '# Rook',
      '@birds/egret/node_modules/plover/docs/use.md': '# Plover 2',
    });
    const { files } = await listDocuments({ path, packages: true });
    expect(files.map((file) => file.path)).toEqual(['plover/readme.md', 'wren/readme.md', 'plover/node_modules/@birds/rook/readme.md']);
  });
});

describe('what a folder may hold', () => {
  it('skips links out of the folder, binaries, foreign encodings, giants and copies, and says why', async () => {
    const outside = folderOf({ 'secret.md': '# Wren\n\nWren rotates its log files in secret, says the outside.\n' });
    const folder = folderOf(
      {
        'good.md': WREN_DOCUMENTS['wren/guide.md'],
        'copy/good.md': WREN_DOCUMENTS['wren/guide.md'],
        'binary.md': Buffer.from([0x57, 0, 1, 2]),
        'chinese.txt': Buffer.from('Wren \xc8\xd5\xd6\xbe\xce\xc4\xbc\xfe\xc2\xd6\xd7\xaa', 'latin1'),
        'huge.txt': 'Wren rotates log files. '.repeat(100_000),
        'program.js': 'Wren rotates log files in code',
        '.hidden/notes.md': 'Wren rotates hidden log files every day.',
      },
      { 'link.md': join(outside, 'secret.md'), 'linked-folder': outside, 'dangling.md': join(outside, 'nothing.md') },
    );
    execFileSync('mkfifo', [join(folder, 'pipe.md')]);
    for (const name of ['gigabyte.md', 'gigabyte.pdf']) {
      writeFileSync(join(folder, name), '# Wren rotates log files');
      truncateSync(join(folder, name), 2 ** 30);
    }
    const { markdown } = await ask(folder);
    expect(markdown).toMatch(/^Answering from 1 local document\./);
    expect(markdown).not.toMatch(/secret|hidden|in code/);
    const { index } = await new KeptIndex({ path: folder, packages: false }, { cacheFolder: null, log: silent }).open();
    expect(Object.fromEntries(index.content.files.map(({ path, skipped }) => [path, skipped]))).toMatchObject({
      'copy/good.md': 'another document has the same content',
      'binary.md': 'it is binary',
      'chinese.txt': 'it is not UTF-8',
      'huge.txt': expect.stringContaining('larger than') as string,
      'gigabyte.md': expect.stringContaining('larger than') as string,
      'gigabyte.pdf': expect.stringContaining('larger than') as string,
    });
  });

  it('encodes paths that a URL could not hold', async () => {
    const path = 'a folder/50% (#1)? ünï @x.md';
    const folder = folderOf({ [path]: WREN_DOCUMENTS['wren/guide.md'] });
    const { citations } = await ask(folder);
    expect(citations[0]?.url).toMatch(/^corpus:\/a%20folder\/50%25%20%28%231%29%3F%20%C3%BCn%C3%AF%20@x\.md#L\d+-L\d+$/);
    for (const citation of citations) expect(linesOf(folder, citation)).not.toBe('');
  });

  it('fails without naming the folder when there is none', async () => {
    const error = await ask('/nowhere/at-all').catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      name: 'ProviderError',
      errorClass: 'not_called',
      message: expect.not.stringContaining('nowhere') as string,
    });
  });

  it.each(['<b><i>', '<ul><li>', '<div>'])(
    'reads all of a page in which hundreds of thousands of elements stand in each other: %s',
    async (opened) => {
      const half = opened.repeat(900_000 / opened.length);
      const [first, last] = ['Wren rotates its log files every day.', 'Wren never rotates two log files at once.'];
      const folder = folderOf({ 'deep.html': [half, `<p>${first}</p>`, half, `<p>${last}</p>`].join('\n') });
      const began = performance.now();
      const { markdown, citations } = await ask(folder);
      // It took minutes, during which the process did nothing else.
      expect(performance.now() - began).toBeLessThan(20_000);
      const cited = citations.map((citation) => linesOf(folder, citation)).join();
      for (const text of [first, last]) expect([markdown.includes(text.slice(0, -1)), cited.includes(text)]).toEqual([true, true]);
    },
  );

  it.each([
    ['of spaces in code', `<pre>x${' '.repeat(200_000)}x</pre>`],
    ['in one cell', `<table><tr><td>${'x<br>'.repeat(200_000)}</td></tr></table>`],
    [
      'of heads of one table',
      `<table>${Array.from({ length: 20_000 }, (_, at) => `<tr><th>a${at}<th>b${at}</tr><tr><td>1<td>2</tr>`).join('')}</table>`,
    ],
  ])('reads a page with a megabyte %s in bounded time', async (_name, part) => {
    const fact = 'Wren rotates its log files every day.';
    const folder = folderOf({ 'long.html': `${part}\n<h1>Logs</h1>\n<p>${fact}</p>` });
    const startedAt = process.cpuUsage();
    const { markdown } = await ask(folder);
    const { user, system } = process.cpuUsage(startedAt);
    // Each took 11 to 20 s, during which the process did nothing else.
    expect((user + system) / 1_000).toBeLessThan(6_000);
    expect(markdown).toContain(fact.slice(0, -1));
  });

  it('shows markup of a hostile document as text', async () => {
    const text = 'Wren rotates its log files <img src=x onerror=alert(1)> and [click](javascript:alert(1)) **now** [7], see `tick.';
    const { markdown, citations } = await ask(folderOf({ 'notes.txt': text }));
    expect(markdown).toContain(
      'files \\<img src=x onerror=alert(1)> and \\[click\\](javascript:alert(1)) \\*\\*now\\*\\* \\[7\\], see \\`tick. [1]',
    );
    expect(citations).toHaveLength(1);
  });

  it('answers from any text at all', async () => {
    const noise = fc.array(
      fc.constantFrom(
        'Wren rotates log files. ',
        '```\n',
        '> ',
        '- ',
        '| a | b |\n',
        '# ',
        '\n',
        '[x][y]',
        '<b',
        '`',
        '***',
        '===\n',
        '\t',
        '[1]: z\n',
        '&lt;',
      ),
    );
    await fc.assert(
      fc.asyncProperty(noise, fc.constantFrom('md', 'txt', 'html'), async (pieces, extension) => {
        const folder = folderOf({ [`noise.${extension}`]: pieces.join('') });
        const { markdown, citations } = await ask(folder);
        const lines = readFileSync(join(folder, `noise.${extension}`), 'utf8').split('\n').length;
        for (const { url, startIndex, endIndex } of citations) {
          expect(Number(/-L(\d+)$/.exec(url)?.[1])).toBeLessThanOrEqual(lines);
          expect(markdown.slice(startIndex ?? 0, endIndex ?? 0)).toMatch(/\[\d+\]$/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('reads documents that are made to be slow in no time', async () => {
    const size = 400_000;
    const folder = folderOf({
      'hexadecimal.md': `![](data:,${'0a'.repeat(size / 2)})\n`,
      'base64.txt': 'aB3d'.repeat(size / 4),
      'brackets.md': '['.repeat(size),
      'angles.md': '<'.repeat(size),
      'heading.md': `# a${' '.repeat(size)}b`,
      'quotes.md': '> '.repeat(size / 2),
      'backticks.md': '` `` '.repeat(size / 5),
      'code.md': `~~~\n${'Wren rotates log files\n'.repeat(size / 20)}~~~\n\nWren rotates its log files after code that nobody reads to the end.\n`,
      'tags.html': '<div>'.repeat(size / 5),
      'entities.html': `<title>${'&amp;'.repeat(size / 5)}</title>`,
      'wren.md': WREN_DOCUMENTS['wren/guide.md'],
    });
    const { markdown, citations } = await ask(folder);
    expect(markdown).toContain('Wren rotates its log files at midnight');
    const afterCode = citations.find(({ url, snippet }) => url.startsWith('corpus:/code.md') && snippet?.includes('after code'));
    expect(afterCode && linesOf(folder, afterCode)).toBe('Wren rotates its log files after code that nobody reads to the end.');
  });
});
