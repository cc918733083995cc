import fc from '../support/properties';
import type { Block } from '@lib/language/markdown/block';
import { parseBlocks } from '@lib/language/markdown/blocks';

const DOCUMENT = `---
title: left out
---
# Guide

Intro with **bold**, \`code\`, a [link](https://a.example) and ![a picture](b.png).

## Hooks

- first *item*
  continued

  second paragraph
  1. nested
- second item

> quoted text

| Name | Value |
| --- | --- |
| port | 3000 |
| \`host\` | **local** |

\`\`\`ts
const a = 1;

\`\`\`

<div>html <b>here</b></div>

[ref]: https://b.example "Title"

A note[^1] and a [reference][ref].

[^1]: The note.

Setext
------

last
`;

const brief = ({ kind, text, depth, headings }: Block): unknown[] => [kind, text, depth, headings.join(' > ')];

/** Work that grows with the square of a hostile text takes minutes on any machine. */
const LONG_ENOUGH_FOR_LINEAR_WORK_MS = 120_000;

describe('parseBlocks', () => {
  it('reads every kind of block as plain text below its headings', () => {
    expect(parseBlocks(DOCUMENT).map(brief)).toEqual([
      ['heading', 'Guide', 1, ''],
      ['paragraph', 'Intro with bold, code, a link and a picture.', 0, 'Guide'],
      ['heading', 'Hooks', 2, 'Guide'],
      ['listItem', 'first item continued', 0, 'Guide > Hooks'],
      ['listItem', 'second paragraph', 0, 'Guide > Hooks'],
      ['listItem', 'nested', 0, 'Guide > Hooks'],
      ['listItem', 'second item', 0, 'Guide > Hooks'],
      ['quote', 'quoted text', 0, 'Guide > Hooks'],
      ['tableHeader', 'Name | Value', 0, 'Guide > Hooks'],
      ['tableRow', 'port | 3000', 0, 'Guide > Hooks'],
      ['tableRow', 'host | local', 0, 'Guide > Hooks'],
      ['code', 'const a = 1;\n', 0, 'Guide > Hooks'],
      ['html', 'html here', 0, 'Guide > Hooks'],
      ['definition', 'ref Title https://b.example', 0, 'Guide > Hooks'],
      ['paragraph', 'A note and a reference.', 0, 'Guide > Hooks'],
      ['definition', 'The note.', 0, 'Guide > Hooks'],
      ['heading', 'Setext', 2, 'Guide'],
      ['paragraph', 'last', 0, 'Guide > Setext'],
    ]);
  });

  it.each(['', '\uFEFF', '\r\n\r\n'])('places blocks by offset and line after %j', (prefix) => {
    const source = prefix + DOCUMENT.replace(/^---[\s\S]*?---\n/, '');
    const lines = source.split('\n');
    for (const block of parseBlocks(source)) {
      const slice = source.slice(block.start, block.end);
      const wordsOfBlock = block.text.split(/[^\w:/]+/).filter((word) => word !== '');
      for (const word of wordsOfBlock) expect(slice).toContain(word);
      expect(lines[block.startLine - 1]).toContain(slice.split('\n')[0]);
      expect(source.slice(0, block.end).split('\n')).toHaveLength(block.endLine);
    }
  });

  it('gives ordered blocks inside the source for any text', () => {
    const piece = fc.constantFrom(
      '# ',
      '- ',
      '> ',
      '1. ',
      '|a|b|\n|-|-|\n',
      '[',
      ']',
      '(x)',
      '*',
      '_',
      '`',
      '```\n',
      '\n',
      '\n\n',
      '    ',
      '<b>',
      '[^1]',
      '[^1]: ',
      'word ',
      '\u0000',
      '\r',
      '\t',
      '~~',
      '\uFDD1',
      '---\n',
    );
    const anyMarkdown = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(anyMarkdown, (markdown) => {
        let done = 0;
        for (const block of parseBlocks(markdown)) {
          expect(block.start).toBeGreaterThanOrEqual(done);
          expect(block.end).toBeGreaterThan(block.start);
          expect(block.end).toBeLessThanOrEqual(markdown.length);
          expect(block.endLine).toBeGreaterThanOrEqual(block.startLine);
          done = block.start;
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['In 1999 it served 22,637 households [1].\nThe next line.', ['In 1999 it served 22,637 households [1]. The next line.']],
    ['# Heading #1 ##\nText.', ['Heading #1', 'Text.']],
    ['Introduction:\n- one\n- two\n\n1. first\n2) second', ['Introduction:', 'one', 'two', 'first', 'second']],
    ['- [x] done\n- [ ] open', ['done', 'open']],
    ['- `code` and [a link](https://a.example/b) and ![a picture](c.png)', ['code and a link and a picture']],
    ['a **bold** word, *one more*.', ['a bold word, one more.']],
    ['**Note:** (*an aside*) and **2**[1]', ['Note: (an aside) and 2[1]']],
    ['*a [link](u) inside*, **one *in* another**', ['a link inside, one in another']],
    ['*emphasis*, &amp; <b>others</b> \\* ~~gone~~', ['emphasis, & others * gone']],
    ['[a (b)](https://c.example/d_(e)) and [f [g]](<h i>)', ['a (b) and f [g]']],
    ['| a | b |\n| - |:-:|\n| one [1] | |\n|`x \\| y`||\n\nText.', ['a | b', 'one [1]', 'x | y', 'Text.']],
    ['a  \nb\\\nc\r\nd\re', ['a b c d e']],
    ['[![badge][image]][page] text\n\n[image]: a\n[page]: b', ['text', 'image a', 'page b']],
    ['text <!-- hidden --> [^2]', ['text [^2]']],
    ['<!-- hidden -->\n\n![](a.png)\n\n***\n\nlast', ['last']],
    ['\uD800 a \0 b', ['\uD800 a \uFFFD b']],
    ['> # quoted\n>\n> | a |\n> | - |\n> | b |\nlazy', ['quoted', 'a', 'b', 'lazy']],
    ['[^1]: one\n\n    two\n\nthree[^1]', ['one', 'two', 'three']],
  ])('reads %j as %j', (markdown, texts) => {
    expect(parseBlocks(markdown).map(({ text }) => text)).toEqual(texts);
  });

  it('gives the runs of text, code and HTML in a block', () => {
    const [block] = parseBlocks('> **bold** `co*d*e` &lt; <b>x</b>\n> ![alt](u) [^1] \\_');
    const pieces = block?.pieces.filter(({ text }) => text.trim() !== '').map(({ kind, text }) => `${kind} ${text}`);
    expect(pieces).toEqual(['text bold', 'code co*d*e', 'text <', 'html <b>', 'text x', 'html </b>', 'text alt', 'text  [^1] ', 'text _']);
  });

  it('keeps the characters of markup that it refuses to read', () => {
    const [block] = parseBlocks(`${'>'.repeat(40)} - 1. deep`);
    expect(block).toMatchObject({ kind: 'quote', text: `${'>'.repeat(16)} - 1. deep` });
    const [brackets] = parseBlocks(`${'['.repeat(1000)}*a*`);
    expect(brackets?.text).toBe(`${'['.repeat(1000)}*a*`);
  });

  it('reads all links of a long list or table, however many there are', () => {
    const items = Array.from({ length: 500 }, (_, index) => `- see [page ${String(index)}](https://a.example/${String(index)})`);
    expect(parseBlocks(items.join('\n')).at(-1)?.text).toBe('see page 499');
    const rows = Array.from({ length: 500 }, (_, index) => `| *cell* | [page ${String(index)}](https://a.example) |`);
    expect(parseBlocks(['| a | b |', '| - | - |', ...rows].join('\n')).at(-1)?.text).toBe('cell | page 499');
  });

  it('reads a long document as it reads a short one: offsets, lines, headings and references', () => {
    const section = (index: number): string =>
      `## Part ${String(index)}\n\nSee [the page][page] and the note[^n].\n\n- item\n\n\`\`\`\n# no heading\n\n[a]: b\n\`\`\`\n\n`;
    const source = `# Top\r\n\r\n${Array.from({ length: 1000 }, (_, index) => section(index)).join('')}[page]: https://a.example\n\n[^n]: The note.\n`;
    const blocks = parseBlocks(source);
    expect(blocks).toHaveLength(1 + 1000 * 4 + 2);
    for (const [index, block] of blocks.filter(({ kind }) => kind === 'paragraph').entries()) {
      expect(block).toMatchObject({ text: 'See the page and the note.', headings: ['Top', `Part ${String(index)}`] });
      expect(source.slice(block.start, block.end)).toBe('See [the page][page] and the note[^n].');
      expect(source.split('\n')[block.startLine - 1]).toBe('See [the page][page] and the note[^n].');
    }
  });

  it('reads a table of 200 KB to its last row', () => {
    const rows = Array.from({ length: 6000 }, (_, index) => `| left ${String(index)} | right of the row |`);
    const blocks = parseBlocks(['| a | b |', '| - | - |', ...rows].join('\n'));
    expect(blocks.filter(({ kind }) => kind === 'tableRow')).toHaveLength(6000);
    expect(blocks.at(-1)).toMatchObject({ text: 'left 5999 | right of the row', startLine: 6002 });
  });

  it.each([
    ['nested quotes', '>'],
    ['nested bullets', '- '],
    ['nested numbers', '1. '],
    ['nested footnotes', '[^a]: '],
    ['open brackets', '['],
    ['open links', '[a]('],
    ['open images', '!['],
    ['footnote calls', '[^a]'],
    ['mixed emphasis', '*a **b '],
    ['emphasis of two kinds', '*a_'],
    ['inner emphasis', 'a**b'],
    ['strikethrough', '~a'],
    ['lines of emphasis', '| **a *b\n'],
    ['quoted emphasis', '> **a *b\n'],
    ['open tags', '<a '],
    ['comments', '<!--'],
    ['definitions', '[a]: x\n'],
    ['table rows', '|a|b|\n'],
    ['bullets', '- a\n'],
    ['front matter', '---\n'],
    ['backticks', '`'],
    ['runs of backticks', '`a``b```c````'],
    ['declarations', '<![CDATA['],
    ['instructions', '<?'],
    ['references', '[a]: b\n\n[a][a] '],
    ['quoted items', '> - a\n'],
    ['code fences', '```a\n~~~\n'],
    ['tables', '|a|\n|-|\n'],
    ['indented items', '  - a\n    '],
    ['white space', ' '],
    ['NULs', '\0'],
    ['carriage returns', '\r'],
    ['lone surrogates', '\uD800'],
    ['one word', 'a'],
  ])(
    'reads 200 KB of %s before the time limit of a test',
    (_name, unit) => {
      expect(parseBlocks(unit.repeat(Math.ceil(200_000 / unit.length)))).toEqual(expect.any(Array));
    },
    LONG_ENOUGH_FOR_LINEAR_WORK_MS,
  );

  it.each(['![', '![a'])('reads megabytes of %j, which no link closes, in seconds', (unit) => {
    const began = performance.now();
    const [block] = parseBlocks(unit.repeat(4_000_000 / unit.length));
    // It took 5 s for each megabyte.
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(block?.text.slice(0, unit.length)).toBe(unit);
  });

  it.each([
    ['[a [b] `]` \\] c](u) d', 'a [b] ] ] c d'],
    ['[a [b](u) c](u)', '[a b c](u)'],
    ['[![a [b] c](u)](v)', 'a [b] c'],
    ['[a `[` b](u)', 'a [ b'],
    ['[[[a](u)', '[[a'],
    [`[${'a *b* '.repeat(100)}](u)`, 'a b '.repeat(100).trim()],
  ])('finds the end of the link in %j', (markdown, text) => expect(parseBlocks(markdown)[0]?.text).toBe(text));

  it('reads a list that is nested by indentation a hundred levels deep', () => {
    const lines = Array.from({ length: 600 }, (_, index) => `${' '.repeat(index * 2)}- a`);
    expect(parseBlocks(lines.join('\n')).length).toBeGreaterThan(10);
  });

  it('reads a definition whose title has 200 KB of spaces at once', () => {
    const started = performance.now();
    const [definition] = parseBlocks(`[a]: /b "c${' '.repeat(200_000)}d"\n`);
    expect(definition?.text).toBe('a c d /b');
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it.each([
    ['[a]: /b "c d"', 'a c d /b'],
    ["[a]: </b c>  'd (e)' ", 'a d (e) /b c'],
    ['[a]: /b', 'a /b'],
    ['[a]:\n/b\n(c "d")', 'a c "d" /b'],
  ])('reads the definition %s', (markdown, text) => {
    expect(parseBlocks(markdown)[0]?.text).toBe(text);
  });
});
