import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import type { Citation } from '@lib/domain/citation';
import { CorpusProvider } from '@lib/providers/corpus/adapter';
import { CorpusIndex } from '@lib/providers/corpus/corpus-index';
import type { CorpusOptions } from '@lib/providers/provider-configuration';
import { research } from '@lib/providers/research';
import type { ResearchRequest } from '@lib/providers/research-provider';
import { words } from '@lib/text/tokens';

import { folderOf, WREN_DOCUMENTS } from './corpus-folder';
import { testProviderContract } from './provider.contract';
import { newRun, requestOf } from './request';

const QUESTION = 'How does Wren rotate its log files?';
const wren = folderOf(WREN_DOCUMENTS);
const corpus = (path: string, options: Partial<CorpusOptions> = {}) =>
  new CorpusProvider({ path, packages: false }, { strategy: 'ranked', breadth: 10, ...options });

async function ask(path: string, request: Partial<ResearchRequest> = {}, options: Partial<CorpusOptions> = {}) {
  const { report } = await research(corpus(path, options), requestOf({ query: QUESTION, ...request }), newRun);
  return report;
}

/** The lines of the real file that a citation names. */
function linesOf(folder: string, { url }: Citation): string {
  const [, path, first, last] = /^corpus:\/(.+)#L(\d+)-L(\d+)$/.exec(url) ?? [];
  const lines = readFileSync(join(folder, decodeURIComponent(path ?? '')), 'utf8').split('\n');
  return lines.slice(Number(first) - 1, Number(last)).join('\n');
}

testProviderContract('corpus', async () => ({ provider: corpus(wren), request: { query: QUESTION } }));

describe('a report from local documents', () => {
  it('says first how many documents it answers from, and what was asked', async () => {
    const { markdown, charge } = await ask(wren);
    expect(markdown.split('\n').slice(0, 3)).toEqual(['Answering from 4 local documents.', '', `The question was: ${QUESTION}`]);
    expect(charge).toEqual({ micros: 0, provenance: 'reported' });
  });

  it('quotes Markdown, text and HTML documents', async () => {
    const { markdown, citations } = await ask(wren);
    expect(markdown).toContain('Wren rotates its log files at midnight, or as soon as a file reaches `maxBytes`. [');
    expect(markdown).toContain('The option `keepFiles` says how many rotated log files Wren keeps; the default is 14. [');
    expect(markdown).toContain('Sending SIGHUP to Wren rotates its log files at once, \\<without> waiting for midnight. [');
    expect(new Set(citations.map(({ url }) => url.replace(/#.*/, '')))).toContain('corpus:/manual/page.html');
  });

  it('names for each source the lines where the quoted words stand', async () => {
    const { citations } = await ask(wren);
    expect(citations.length).toBeGreaterThan(4);
    for (const citation of citations) {
      const quoted = words(citation.snippet ?? '').filter((word) => word !== 'amp');
      expect(quoted.length).toBeGreaterThan(3);
      const cited = linesOf(wren, citation).replaceAll('&lt;', '<').replaceAll('&gt;', '>');
      expect(words(cited)).toEqual(expect.arrayContaining(quoted));
    }
  });

  it('gathers quotations under the titles of their sections and lists every source', async () => {
    const { markdown, citations } = await ask(wren);
    expect(markdown).toContain('## Wren guide › Log rotation\n\n- ');
    const sources = markdown.slice(markdown.indexOf('## Sources'));
    for (const { index, url } of citations)
      expect(sources).toMatch(new RegExp(`^${index}\\. \\[.+\\]\\(${url.replaceAll('.', '\\.')}\\)$`, 'm'));
  });

  it('gives a sentence that refers back the one before it', async () => {
    const { markdown } = await ask(wren, { query: 'How many times is a failed rotation of Wren done again, three times?' });
    expect(markdown).toMatch(
      /A rotation that fails is tried again after one minute\. \[(\d+)\] This is never done more than three times\. \[\1\]/,
    );
  });

  it('quotes no code, menus, scripts, front matter, questions or pointers', async () => {
    const { markdown } = await ask(wren, { query: 'rotate log files of Wren over the network in the guide, menu, script or front matter' });
    for (const unwanted of ['yaml', 'menu', 'in a script', 'front matter is', 'Does Wren', 'See the rotation']) {
      expect(markdown.slice(markdown.indexOf('\n## '))).not.toContain(unwanted);
    }
  });

  it('is about the parent question when the follow-on topic says nothing by itself', async () => {
    const context = { question: QUESTION, claims: [], laterMessages: [] };
    expect((await ask(wren, { query: 'And why?', context })).markdown).toContain('Wren rotates its log files at midnight');
  });

  it('looks also for what the brief asks, without taking it for the question', async () => {
    const narrow = { breadth: 1 };
    const query = 'What does Wren do?';
    const brief = 'Unclear: with what are rotated files compressed, and where?';
    expect((await ask(wren, { query }, narrow)).markdown).not.toContain('zstd');
    expect((await ask(wren, { query, brief }, narrow)).markdown).toContain('zstd');
  });
});

describe('a question that the documents do not answer', () => {
  it.each(['What is the capital of the planet Zorgon?', 'How do I brew a good espresso at home?', '???', 'the of and'])(
    '%j is told so, without sources',
    async (query) => {
      const { markdown, citations } = await ask(wren, { query });
      expect(markdown).toMatch(/^Answering from 4 local documents\./);
      expect(markdown).toContain('do not answer the question');
      expect(citations).toEqual([]);
    },
  );

  it('names the words that no document has', async () => {
    const { markdown } = await ask(wren, { query: 'What is the capital of the planet Zorgon?' });
    expect(markdown).toMatch(/None of them mentions: .*zorgon/);
  });

  it('is every question to an empty folder', async () => {
    const { markdown, citations } = await ask(folderOf({}));
    expect(markdown).toMatch(/^Answering from 0 local documents\./);
    expect(citations).toEqual([]);
  });
});

describe('options of the corpus', () => {
  const many = folderOf(
    Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `topic-${at}.md`,
        `# Chapter ${at}\n\nWren rotates log files of kind ${at} by the rule called ${['amber', 'birch', 'cedar', 'dahlia'][at % 4]}${at}.\n`,
      ]),
    ),
  );

  it('give a wider provider more sources, and a methodical job more than a fast one', async () => {
    const count = async (breadth: number, mode: 'fast' | 'methodical') => (await ask(many, { mode }, { breadth })).citations.length;
    expect([await count(3, 'fast'), await count(9, 'fast'), await count(9, 'methodical')]).toEqual([3, 9, 18]);
  });

  describe('as strategies', () => {
    const typical = (name: string) =>
      `# ${name}\n\nThe ${name} harbour has a crane, and each crane there can lift what its gantry and spreader bear.\n`;
    const said = folderOf({
      'east.md': typical('East'),
      'west.md': typical('West'),
      'bird.md': '# Birds\n\nA crane in the harbour is a bird.\n',
      'gantry.md':
        '# Machines\n\nThe gantry of a harbour, with a spreader below the gantry and its bridge, is a crane to most who bear with it, and no spreader is a bird.\n',
    });
    const headed = folderOf({
      'headed.md': '# Harbour crane\n\nIt is painted yellow each spring by the apprentices of the yard, in two coats.\n',
      'east.md': typical('East'),
    });
    const found = async (folder: string, strategy: CorpusOptions['strategy']) => {
      const state = await corpus(folder, { strategy, breadth: 10 }).submit(requestOf({ query: 'harbour crane' }));
      const { passages } = JSON.parse('raw' in state ? state.raw : '') as { passages: { document: { path: string } }[] };
      return passages.map(({ document }) => document.path);
    };

    it('find what is said', async () => {
      expect(await found(said, 'ranked')).toEqual(['bird.md', 'east.md', 'west.md', 'gantry.md']);
    });

    it('find what stands under a heading', async () => {
      expect(await found(headed, 'structural')).toEqual(['headed.md']);
    });

    it('find what is said in the words that go with those of the question', async () => {
      expect(await found(said, 'expansion')).toEqual(['gantry.md', 'east.md', 'west.md', 'bird.md']);
    });
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
        'latin1.txt': Buffer.from('Wren rotates log files, d\xe9j\xe0', 'latin1'),
        'huge.txt': 'Wren rotates log files. '.repeat(100_000),
        'program.js': 'Wren rotates log files in code',
        '.hidden/notes.md': 'Wren rotates hidden log files every day.',
      },
      { 'link.md': join(outside, 'secret.md'), 'linked-folder': outside, 'dangling.md': join(outside, 'nothing.md') },
    );
    const { markdown } = await ask(folder);
    expect(markdown).toMatch(/^Answering from 1 local documents\./);
    expect(markdown).not.toMatch(/secret|hidden|in code/);
    const { skipped } = await CorpusIndex.build({ path: folder, packages: false });
    expect(Object.fromEntries(skipped.map(({ path, reason }) => [path, reason]))).toMatchObject({
      'copy/good.md': 'another document has the same content',
      'binary.md': 'it is binary',
      'latin1.txt': 'it is not UTF-8',
      'huge.txt': expect.stringContaining('larger than') as string,
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
      errorClass: 'unavailable',
      message: expect.not.stringContaining('nowhere') as string,
    });
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
});
