import type { ProviderError } from '@lib/providers/research-provider';
import type { CorpusOptions } from '@lib/providers/corpus/options';
import type { Retrieved } from '@lib/providers/corpus/finding/retrieve';
import { words } from '@lib/language/tokens';

import { ask, corpus, linesOf, QUESTION } from './ask-corpus';
import { folderOf, WREN_DOCUMENTS } from './corpus-folder';
import { testProviderContract } from './provider.contract';
import { requestOf } from './request';

const wren = folderOf(WREN_DOCUMENTS);

testProviderContract('corpus', async () => ({ provider: corpus(wren), request: { query: QUESTION } }));

describe('a report from local documents', () => {
  it('says first how many documents it answers from, and what was asked', async () => {
    const { markdown, charge } = await ask(wren);
    expect(markdown.split('\n').slice(0, 3)).toEqual(['Answering from 4 local documents.', '', `# The question was: ${QUESTION}`]);
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

  it('quotes no menus, scripts, front matter, questions or pointers', async () => {
    const { markdown } = await ask(wren, { query: 'rotate log files of Wren over the network in the guide, menu, script or front matter' });
    for (const unwanted of ['menu', 'in a script', 'front matter is', 'Does Wren', 'See the rotation']) {
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
    expect(markdown).toMatch(/The documents do not mention: .*zorgon/);
  });

  it('is no question to an empty folder: it fails, since another worker may have the documents', async () => {
    await expect(ask(folderOf({}))).rejects.toMatchObject({
      errorClass: 'not_called',
      message: "Not called: the worker's folder of documents (CORPUS_DIR) has no document that can be read: is its volume mounted?",
      details: { charge: { micros: 0 } },
    });
  });

  it('is no question to documents of which none can be read: it fails for good and says why, since they are the same everywhere', async () => {
    const folder = folderOf({ 'a.pdf': 'no PDF', 'b.txt': '\0', 'c.txt': '\0\0', 'image.png': 'x' });
    const error = (await ask(folder).catch((reason: unknown) => reason)) as ProviderError;
    expect(error).toMatchObject({ errorClass: 'invalid_request', details: { charge: { micros: 0 } } });
    expect(error.message).toMatch(
      /^The folder of documents \(CORPUS_DIR\) has no document that can be read: .*PDF.* \(1 file\).*; it is binary \(2 files\)$/,
    );
    expect(error.message).not.toContain(folder);
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

  it('give a wider provider more sources, and a methodical job more than a fast one, twice as many among few documents', async () => {
    const count = async (breadth: number, mode: 'fast' | 'methodical') => (await ask(many, { mode }, { breadth })).citations.length;
    expect([await count(3, 'fast'), await count(9, 'fast'), await count(9, 'methodical')]).toEqual([6, 18, 36]);
  });

  it.each(['lexical', 'dense', 'structural', 'feedback', 'fused'] as const)(
    'let versions of one text not crowd out others by %s',
    async (strategy) => {
      const other = '# Log rotation\n\nFor Wren a smaller server also rotates files of its own log when an operator sends it a signal.\n';
      const pathsOf = async (last: readonly string[]): Promise<string[]> => {
        const text = 'Wren rotates log files at midnight by a clock that every server of the house shares and sets.';
        const versions = Object.fromEntries(last.map((word, at) => [`v${at}.md`, `# Log rotation\n\n${text} ${word}.\n`]));
        const folder = folderOf({ ...versions, 'z.md': other });
        const state = await corpus(folder, { strategy, breadth: 4 }).submit(requestOf({ query: 'How does Wren rotate log files?' }));
        const { facets } = JSON.parse('raw' in state ? state.raw : '') as Retrieved;
        return facets.flatMap(({ passages }) => passages.map(({ document }) => document.path)).sort();
      };
      const v = expect.stringMatching(/^v/) as string;
      expect(await pathsOf(['Amber', 'Birch', 'Cedar', 'Dahlia', 'Elm'])).toEqual([v, 'z.md']);
      expect(await pathsOf(['Version 1', 'Version 2', 'Version 3', 'Version 4', 'Version 5'])).toEqual([v, v, v, 'z.md']);
    },
  );

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
      const { facets } = JSON.parse('raw' in state ? state.raw : '') as Retrieved;
      return facets.flatMap(({ passages }) => passages).map(({ document }) => document.path);
    };

    it('find what is said', async () => {
      expect(await found(said, 'lexical')).toEqual(['bird.md', 'east.md', 'west.md', 'gantry.md']);
    });

    it('find what stands under a heading', async () => {
      expect(await found(headed, 'structural')).toEqual(['headed.md']);
    });

    it('find what is said in the words that go with those of the question', async () => {
      expect(await found(said, 'feedback')).toEqual(['east.md', 'gantry.md', 'west.md', 'bird.md']);
    });
  });
});
