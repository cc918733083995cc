import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { globSync } from 'tinyglobby';

import { flatBlocksOf, flatText } from '@lib/language/flat-markdown';
import { parseBlocks } from '@lib/language/markdown';

/** A thematic break at the end makes a flat document one for the full parser and adds no block. */
const forFullParser = (markdown: string): string => `${markdown}\n\n***\n`;

function expectSameBlocks(flat: string): void {
  expect(flatBlocksOf(flat)).not.toBeNull();
  expect(flatBlocksOf(forFullParser(flat))).toBeNull();
  expect(parseBlocks(flat)).toEqual(parseBlocks(forFullParser(flat)));
}

const MARKERS = [
  '',
  '',
  '',
  '| a | b |\n| - | - |\n| c | ',
  '| ',
  '- ',
  '* ',
  '+ ',
  '1. ',
  '2. ',
  '3) ',
  '# ',
  '## ',
  '###### ',
  '####### ',
  '#',
  '> ',
  '    ',
  ' ',
  '\t',
];
const INLINE = [
  ...['word', 'a b', 'é', '5', '2. z', '2019 was', 'x_y', '"', '.', ' ', '  ', '\t', '\u00A0', '\u2028', '\uFEFF', '\u0000', '\uFDD1'],
  ...[
    '*',
    '**',
    '_',
    '~',
    '~~',
    '`',
    '``',
    '```',
    '\\',
    '\\*',
    '&',
    '&amp;',
    '<',
    '<b>',
    '#',
    ' #',
    '!',
    '|',
    ':',
    ':-',
    '-',
    '---',
    '===',
    '+',
  ],
  ...['`c`', '` c `', '*e*', '**s** x', '[1]', '[^1]', '[ ]', '[x] ', '[', ']', '](', '](u)', '(x)', '[l](u)', '![i](u)', '[](u)', '[m]()'],
  ...['**n:** x', '(*e*),', '*e f*.', '**s**[1]', '*e **s** f*', '**s*', '*a\nb*', '[a *e*](u)', '*[l](u)*', '**`c`**'],
  ...['[`c`](u)', '`[a](b)`', '[a b](u*v)', '[^1](u)', '[a](<u>)', '[a](u "t")', '[1]: u', 'https://a.example/b', 'a@b.example'],
];
const anyLine = fc
  .tuple(fc.constantFrom(...MARKERS), fc.array(fc.constantFrom(...INLINE), { maxLength: 5 }))
  .map(([marker, pieces]) => marker + pieces.join(''));
const anyDocument = fc
  .array(fc.tuple(anyLine, fc.constantFrom('\n', '\n\n', '\n \t\n', '\r\n')), { maxLength: 8 })
  .map((lines) => lines.flat().join(''));

describe('the shortcut for flat documents', () => {
  it.each([
    'In 1999 the telescope served 22,637 households [1]. In 2004 it moved [2].\nThe next line.',
    '# A heading\n\nIntroduction:\n- one\n- two\n\n1. first\n2. second\n## Another #1\nText.',
    '- `code` and [a link](https://a.example/b) and ![a picture](c.png)\n- *emphasis* and **more**, &amp; <b>others</b> \\*',
    '| a | b |\n| - |:-:|\n| one [1] | |\n|two||\n\nText.\n\n|c|\n|-|',
    '# Results\n| a | b |\n|---|---|\n| - x | # y |\n| [l](u) | ![i](u) |',
    'trailing spaces  \nbreak a line\n \t\n* item\nthat goes on',
    '',
  ])('takes %j and reads it as the full parser does', (markdown) => {
    expectSameBlocks(markdown);
  });

  it.each([
    ['a **bold** word, *one more*.', 'a bold word, one more.'],
    ['**Note:** (*an aside*) and **2**[1]', 'Note: (an aside) and 2[1]'],
    ['*a [link](u) inside*', null],
    ['**one *in* another**', null],
    ['in*side* or **unlike*', null],
    ['*(brackets)*', null],
  ])('reads %j as %j, null being left to the full parser', (source, text) => {
    expect(flatText(source)).toBe(text);
    expectSameBlocks(source);
  });

  it.each([
    '> quote',
    '- a\n  - b',
    '    code',
    '```\ncode\n```',
    '<div>',
    '| a |\n| - | - |',
    '| a |\n| - |\n| b | c |',
    '| a |\n| - |\n| `|` |',
    '| a |\n| - |\n| b \\|',
    '| a |\n| - |\nb',
    '| a |\n| - |\n> b',
    'text\n| a |\n| - |',
    '| a |\ntext',
    'a\n---',
    '---',
    '[a]: b',
    '- [ ] task',
    'a\r\nb',
  ])('leaves %j to the full parser', (markdown) => {
    expect(flatBlocksOf(markdown)).toBeNull();
  });

  it('reads any document that it takes as the full parser does', () => {
    fc.assert(
      fc.property(anyDocument, (markdown) => {
        fc.pre(flatBlocksOf(markdown) !== null);
        expectSameBlocks(markdown);
      }),
      { numRuns: 3000 },
    );
  });

  it('reads what is flat in the documentation of all installed packages as the full parser does', () => {
    const folder = join(__dirname, '../../node_modules');
    const documents = globSync('**/*.md', { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8'));
    const stretches = documents.map((text) => text.split(/\n[ \t]*\n/).filter((stretch) => flatBlocksOf(stretch) !== null));
    expect(stretches.flat().length).toBeGreaterThan(10_000);
    for (const flat of stretches) expectSameBlocks(flat.join('\n\n'));
  }, 120_000);

  it('reads a paragraph with more delimiters than are read as markup as the full parser does', () => {
    expectSameBlocks('[a](b) '.repeat(400));
    expectSameBlocks('`c` [1] '.repeat(400));
    expectSameBlocks('*a* '.repeat(400));
  });
});
