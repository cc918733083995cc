import fc from '../support/properties';

import { facetsOf } from '@lib/providers/corpus/question/facets';

import { ask } from './ask-corpus';
import { folderOf, WREN_DOCUMENTS } from './corpus-folder';

const texts = (query: string): string[] => facetsOf(query).map(({ text }) => text);

describe('what a question asks', () => {
  it.each<[question: string, facets: string[]]>([
    ['How does Wren rotate its log files?', ['How does Wren rotate its log files?']],
    ['How does Wren rotate log files and when does it delete them?', ['How does Wren rotate log files', 'when does it delete them?']],
    ['How do I cap log files, and is there a default size?', ['How do I cap log files', 'is there a default size?']],
    ['What is Wren? How many files does it keep?', ['What is Wren?', 'How many files does it keep?']],
    ['We run Wren on small servers. Which port does it use?', ['Which port does it use?']],
    ['Tell me:\n1. What is Wren?\n2. Who wrote it?', ['What is Wren?', 'Who wrote it?']],
    ['What is the difference between rotation and compression in Wren?', ['rotation in Wren', 'compression in Wren']],
    ['Compare SIGHUP with midnight rotation', ['SIGHUP', 'midnight rotation']],
    ['zstd vs gzip for log files', ['zstd for log files', 'gzip for log files']],
    ['How does zstd differ from gzip?', ['zstd', 'gzip']],
    ['Why does Wren rotate files, and why?', ['Why does Wren rotate files and why?']],
    ['The port and when it changes', ['The port and when it changes']],
    ['rotation of log files', ['rotation of log files']],
    ['Can Wren compress files, and what is the option called?', ['Can Wren compress files and what is the option called?']],
    ['???', ['???']],
  ])('%j is %j', (question, facets) => {
    expect(texts(question)).toEqual(facets);
  });

  it('is of the last thing that was named', () => {
    const contexts = (query: string): [string, string][] => facetsOf(query).map(({ text, context }) => [text, context]);
    expect(contexts('What is keepAliveTimeout? How do I raise it? How do I turn it off?')).toEqual([
      ['What is keepAliveTimeout?', ''],
      ['How do I raise it?', 'What is keepAliveTimeout?'],
      ['How do I turn it off?', 'What is keepAliveTimeout?'],
    ]);
    expect(contexts('What is keepAliveTimeout? How do I change it? What is bodyLimit? How do I change it?')).toEqual([
      ['What is keepAliveTimeout?', ''],
      ['How do I change it?', 'What is keepAliveTimeout?'],
      ['What is bodyLimit?', ''],
      ['How do I change it?', 'What is bodyLimit?'],
    ]);
  });

  it('is a time, an amount, a definition or anything', () => {
    const questions = ['When does it rotate?', 'How many files are kept?', 'What is Wren?', 'How does it work?'];
    expect(questions.map((question) => facetsOf(question)[0]?.wanted)).toEqual([['time'], ['amount'], ['definition'], ['anything']]);
  });

  it('is something for any text, never much, and found in no time', () => {
    const pieces = fc.array(
      fc.constantFrom('what ', 'and how ', 'vs ', 'compare ', '? ', '. ', ', ', 'x ', '\n', 'difference between ', '1. '),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(pieces, (query) => {
        const facets = facetsOf(query.join(''));
        expect(facets.length).toBeGreaterThan(0);
        expect(facets.length).toBeLessThanOrEqual(6);
      }),
    );
    for (const hostile of ['compare ', 'how does ', 'what and ', ', and ', ' ', 'a vs']) facetsOf(hostile.repeat(32_000 / hostile.length));
  });
});

describe('an answer to several questions', () => {
  const wren = folderOf(WREN_DOCUMENTS);
  const section = (markdown: string, title: string): string => markdown.split(/^## /m).find((part) => part.startsWith(title)) ?? '';

  it('has a part for each, with its own quotations', async () => {
    const query = 'How does Wren rotate its log files? On which port does Wren listen for connections?';
    const { markdown, citations } = await ask(wren, { query });
    expect(section(markdown, 'How does Wren rotate')).toContain('Wren rotates its log files at midnight');
    expect(section(markdown, 'On which port')).toContain('Wren listens on port 7070');
    expect(section(markdown, 'On which port')).not.toContain('at midnight');
    expect(citations.map(({ url }) => url.replace(/#.*/, ''))).toEqual(
      expect.arrayContaining(['corpus:/wren/guide.md', 'corpus:/wren/network.md']),
    );
  });

  it('says of which part the documents say nothing, and quotes nothing there', async () => {
    const query = 'How does Wren rotate its log files? Who won the football championship of Zorgon?';
    const { markdown } = await ask(wren, { query });
    expect(section(markdown, 'How does Wren rotate')).toContain('Wren rotates its log files at midnight');
    const silent = section(markdown, 'Who won the football');
    expect(silent).toContain('The documents do not answer this part of the question, “Who won the football championship of Zorgon?”: ');
    expect(silent).toMatch(/The documents do not mention: .*zorgon/);
    expect(silent).not.toMatch(/\[\d+\]/);
  });

  it('has both sides of a comparison', async () => {
    const { markdown } = await ask(wren, { query: 'Compare the default of keepFiles with the port of Wren' });
    expect(section(markdown, 'default of keepFiles')).toContain('the default is 14');
    expect(section(markdown, 'port of Wren')).toContain('port 7070');
  });

  it('quotes a passage once', async () => {
    const query = 'When does Wren rotate its log files? How are log files rotated by Wren?';
    const { markdown } = await ask(wren, { query });
    expect(markdown.split('Wren rotates its log files at midnight')).toHaveLength(2);
  });
});

describe('a word that no document has', () => {
  const spelled = folderOf({ 'options.md': '# Options\n\nOperators customize the behavior of Wren by a file of options.\n' });

  it('is found in another spelling', async () => {
    const { markdown } = await ask(spelled, { query: 'How do operators customise the behaviour of Wren?' });
    expect(markdown).toContain('Operators customize the behavior of Wren by a file of options. [1]');
  });

  it('is not found in a word that only looks like it', async () => {
    const { markdown } = await ask(folderOf({ 'notes.md': 'The contrast of the screen is high.' }), { query: 'What is in the contract?' });
    expect(markdown).toContain('do not answer the question');
  });
});
