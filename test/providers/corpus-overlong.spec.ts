import { ask, indexOf, linesOf } from './ask-corpus';
import { folderOf } from './corpus-folder';

const BRIDGE = 'The drawbridge over the Elbow river opens at seven in the morning.';
const QUESTION = 'When does the drawbridge over the Elbow river open?';
const filler = (length: number) => 'We then spoke about the weather of that year. '.repeat(Math.ceil(length / 46));

describe('a text without blank lines', () => {
  it.each([
    ['one line of a text', 'talk.txt', (text: string) => text],
    ['one line of Markdown', 'talk.md', (text: string) => text],
    ['a paragraph of a page', 'talk.html', (text: string) => `<html><body><h1>Talk</h1><p>${text}</p></body></html>`],
    ['many short lines', 'talk.txt', (text: string) => text.replaceAll('. ', '.\n')],
  ])('is read to its end: %s', async (_, name, written) => {
    // Just beyond the length of a chunk.
    const folder = folderOf({ [name]: written(`${filler(8_096)}${BRIDGE} ${filler(9_000)}`) });
    const { markdown, citations } = await ask(folder, { query: QUESTION });
    expect(markdown).toContain(BRIDGE);
    expect(citations.map((citation) => linesOf(folder, citation))).toContainEqual(expect.stringContaining(BRIDGE));
  });

  it('may have its lines end with a carriage return alone', async () => {
    const { markdown } = await ask(folderOf({ 'talk.txt': `${filler(9_000)}\r\r${BRIDGE}\r\r${filler(200)}` }), { query: QUESTION });
    expect(markdown).toContain(BRIDGE);
  });

  it('is cut between its words where it has no sentences, and never within a character', async () => {
    const folder = folderOf({ 'talk.txt': `a${'🌉'.repeat(9_000)} ${'and so on '.repeat(900)}${BRIDGE}` });
    const { index } = await indexOf(folder);
    const texts: string[] = [];
    for (let at = 0; index.passage(at); at += 1) texts.push(...(index.passage(at)?.chunks ?? []).map(({ text }) => text));
    expect(texts.join('')).toContain('and so on and so on');
    expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
    expect(texts.join('').length).toBeGreaterThan(26_000);
  });
});

it('a document that is larger than all that is kept of documents is parsed once, and not for each of its passages', async () => {
  const sections = Array.from({ length: 20_000 }, (_, at) => `## Bridge ${at}\n\nIt opens at ${at % 24} – always.\n`);
  const { index } = await indexOf(
    folderOf({ 'bridges.md': `# Bridges of the whole country and of all its rivers\n\n${sections.join('\n')}` }),
  );
  const [first, again, other] = [index.passage(7), index.passage(7), index.passage(8)];
  expect(first?.chunks).toBeDefined();
  expect(again?.chunks).toBe(first?.chunks);
  expect(other?.chunks).not.toBe(first?.chunks);
});
