import { MAX_MESSAGE_CODE_POINTS } from '@lib/domain/vocabulary';

import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

/** The quotations of the answer, one a line. */
async function quotedFor(guide: string, query: string, others: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const { markdown } = await ask(folderOf({ ...others, 'guide.md': guide }), { query });
  const [answer = ''] = markdown.split(/^## (?:Further|Sources)/m);
  return Array.from(answer.matchAll(/^- (.+)$/gm), ([, line = '']) => line);
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
/** Sentences that have few words in common. */
const sentences = (count: number, begin: string): string[] =>
  LETTERS.slice(0, count).map(
    (letter) =>
      `${begin} ${['ba', 'ce', 'di', 'fo', 'gu', 'la', 'me', 'ni', 'po', 'ru'].map((part) => `${letter}${part}${letter}`).join(' ')}.`,
  );

describe('a question of two words', () => {
  const guide = '# Guide\n\nThe gannet eats herrings from the harbour.\n';
  const others = Object.fromEntries(
    LETTERS.map((letter) => [`${letter}.md`, `# Water ${letter}\n\nThe water of the day ${letter} was cold.\n`]),
  );

  it('is answered by what has both', async () => {
    expect(await quotedFor(guide, 'What about gannet herrings?')).toEqual([expect.stringContaining('herrings from the harbour')]);
  });

  it('is not answered by what has one of them, however common the other is', async () => {
    expect(await quotedFor(guide, 'What about gannet water?', others)).toEqual([]);
  });
});

/** So far apart that no two are quoted together. */
const apart = (paragraphs: readonly string[]): string => paragraphs.join('\n\n\n');

describe('an answer', () => {
  it('has at most seven lines', async () => {
    const guide = `# Guide\n\n${apart(sentences(20, 'The gannet eats herrings with'))}\n`;
    expect(await quotedFor(guide, 'What about gannet herrings?')).toHaveLength(7);
  });

  it('is a section of up to a thousand characters as a whole, and of a longer one its parts', async () => {
    const ofLength = (count: number): string => `# Guide\n\n${apart(sentences(count, 'The gannet eats herrings with'))}\n`;
    expect(ofLength(12).length).toBeGreaterThan(900);
    expect(ofLength(12).replace(/\n+/g, '').length).toBeLessThan(1_000);
    expect(await quotedFor(ofLength(12), 'What about gannet herrings?')).toHaveLength(1);
    expect(ofLength(13).length).toBeLessThan(1_100);
    expect(await quotedFor(ofLength(13), 'What about gannet herrings?')).toHaveLength(7);
  });

  it.each([
    ['is read on beside its words', 8, 7],
    ['is not read on far from its words', 40, 1],
  ])('%s', async (_, lines, quoted) => {
    const guide = `# Guide\n\nThe gannet eats herrings.${'\n'.repeat(lines)}${apart(sentences(16, 'Nobody knows about'))}\n`;
    expect(await quotedFor(guide, 'What about gannet herrings?')).toHaveLength(quoted);
  });
});

it('a question in a text is quoted with the sentence that answers it, and not alone', async () => {
  const text = 'Lost your key card? Call 4471 at once. A new key card costs 10 euros. What is a key card?';
  const { markdown } = await ask(folderOf({ 'guide.md': `# Key cards\n\n${text}\n` }), { query: 'I lost my key card' });
  expect(markdown.replace(/ \[1\]/g, '')).toContain('- Lost your key card? Call 4471 at once. A new key card costs 10 euros.\n');
});

it('the snippet of a citation is the text of the document, without the escapes that the report needs', async () => {
  const text = 'A plate is a\\*b, [draft] or \\<none>, never `a\\_b` nor ``x`\\*``, and it costs 5 \\~ 6 euros.';
  const { citations } = await ask(folderOf({ 'guide.md': `# Plates\n\n${text}\n` }), { query: 'What is a plate?' });
  expect(citations.map(({ snippet }) => snippet)).toEqual([
    'A plate is a*b, [draft] or <none>, never `a\\_b` nor ``x`\\*``, and it costs 5 ~ 6 euros.',
  ]);
});

describe('a hostile question', () => {
  const guide = '# Guide\n\nThe gannet of the harbour eats herrings.\n';
  const filled = (text: string): string => text.repeat(Math.ceil(MAX_MESSAGE_CODE_POINTS / text.length)).slice(0, MAX_MESSAGE_CODE_POINTS);

  it.each([
    ['has no word of its own', 'the of and'],
    ['is punctuation alone', '??? … !!!'],
    ['is full of dollars', filled('$ $$ $1 $& ${x} ')],
    ['has as many words as a message may have', Array.from({ length: 10_000 }, (_, at) => at.toString(36)).join(' ')],
    ['asks as often as a message may', filled('xyzzy? ')],
    ['is one word', filled('a')],
    ['is one identifier', filled('aB')],
    ['is one path', filled('a/')],
    ['is one line of dashes', filled('-')],
    ['opens code and never closes it', filled('`aa ')],
    ['is code alone', '```js\nlet eaten = () => { return 1 }\n```'],
    ['is in another language', 'Wie lange werden fertige Aufträge aufbewahrt?'],
    ['is in another script', '完了したジョブはいつ削除されますか？'],
    ['has half of a character', 'What is \uD800 or \0?'],
  ])('that %s is declined', async (_, query) => {
    expect(await quotedFor(guide, query)).toEqual([]);
  });

  it('that names what every object of the language has is answered as any other', async () => {
    const others = { 'constructor/README.md': '# Notes\n\nThe `constructor` of a gannet calls `toString` and `__proto__`.\n' };
    const quoted = await quotedFor(guide, 'Does the constructor call toString or `__proto__`?', others);
    expect(quoted).toEqual([expect.stringContaining('of a gannet calls')]);
  });
});

describe('a German question', () => {
  const guide = '# Fehmarn\n\nDer Leuchtturm von Fehmarn wurde 1832 aus Backstein gebaut.\n';

  it('is answered from a German document, for the words that only form it need not stand there', async () => {
    expect(await quotedFor(guide, 'Wann wurde der Leuchtturm auf Fehmarn gebaut?')).toEqual([
      expect.stringContaining('1832 aus Backstein'),
    ]);
  });
});

describe('a question of the greatest length', () => {
  it('is searched for by its beginning and end, and says so', async () => {
    const code = 'let eaten = gannet.eats({ herrings: 7 });\n'.repeat(MAX_MESSAGE_CODE_POINTS).slice(0, MAX_MESSAGE_CODE_POINTS - 100);
    const guide = folderOf({ 'guide.md': '# Guide\n\nThe gannet eats herrings from the harbour.\n' });
    const { markdown } = await ask(guide, { query: `${code}\nWhat about gannet herrings?` });
    expect(markdown).toContain('only its beginning and end were searched for, at most 3000 characters in all');
    expect((await ask(guide, { query: 'What about gannet herrings?' })).markdown).not.toContain('searched for');
  });

  it('is not searched for by halves of words', async () => {
    const guide = folderOf({ 'guide.md': '# Guide\n\nThe gannet eats herrings from the harbour.\n' });
    const { markdown } = await ask(guide, { query: 'gannet herrings harbour '.repeat(1_300) });
    expect(markdown).toContain('searched for');
    expect(markdown).not.toContain('do not mention');
  });
});
