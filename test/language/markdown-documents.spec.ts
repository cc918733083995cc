import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from '../support/properties';
import { globSync } from 'tinyglobby';

import { parseBlocks } from '@lib/language/markdown/blocks';

import { otherBlocks, type OtherBlock } from './other-parser';

type Compared = [kind: string, text: string, start: number, startLine: number, depth: number];

/** For the other parser indented code begins at its line, and definitions of links are no text. */
const compared = (blocks: readonly Pick<OtherBlock, 'kind' | 'text' | 'start' | 'startLine' | 'depth'>[]): Compared[] =>
  blocks
    .filter(({ kind }) => kind !== 'definition')
    .map(({ kind, text, start, startLine, depth }) => [kind, text, kind === 'code' ? 0 : start, startLine, depth]);
const ours = (markdown: string): Compared[] => compared(parseBlocks(markdown));
const theirs = (markdown: string): Compared[] => compared(otherBlocks(markdown));

const MARKERS = [
  ...['', '', '', '| a | b |\n| - | - |\n| c | ', '| ', '- ', '* ', '+ ', '1. ', '2. ', '3) ', '# ', '## ', '###### ', '####### ', '#'],
  ...['> ', '> > ', '> - ', '  - ', '- [x] word ', '```\n'],
];
/** Emphasis stands apart from other delimiters: where delimiters meet, parsers differ. */
const INLINE = [
  ...['word', 'a b', 'é', '5', '2019 was', 'x_y', '"', '.', ' ', '``', '\\*', '&amp;', '<b>', '#', '!', ':', '-', '+', '`c`'],
  ...[' *e* ', ' **s** x', ' **n:** x', ' (*e*), ', ' *e f*. ', ' **s**[1]', ' *e **s** f* ', ' *[l](u)* ', ' **`c`** ', ' ~~d~~ '],
  ...['[1]', '[^1]', '[ ]', '[', ']', '](', '](u)', '(x)', '[l](u)', '![i](u)', '[](u)', '[m]()', '[a *e*](u)', '[`c`](u)', '`[a](b)`'],
  ...['[a](<u>)', '[a](u "t")', '[a](u(v)w)', 'https://a.example/b', 'a@b.example'],
];
/** Where an item of a list is empty, parsers differ too. */
const FIRST = ['word', 'a b', '2019 was', '"', '*e* ', '**s** x', '`c`', 'a [1]', '[l](u)', '![i](u)', '&amp;', '\\*'];
const anyLine = fc
  .tuple(fc.constantFrom(...MARKERS), fc.constantFrom(...FIRST), fc.array(fc.constantFrom(...INLINE), { maxLength: 4 }))
  .map(([marker, first, pieces]) => marker + first + pieces.join(''));
const anyDocument = fc.array(fc.tuple(anyLine, fc.constantFrom('\n', '\n\n')), { maxLength: 8 }).map((lines) => lines.flat().join(''));

describe('parseBlocks, beside another parser,', () => {
  it('reads any document as that one does', () => {
    fc.assert(
      fc.property(anyDocument, (markdown) => {
        expect(ours(markdown)).toEqual(theirs(markdown));
      }),
      { numRuns: 3000 },
    );
  });

  it('finds the same text at the same place in the documentation of the installed packages', () => {
    const folder = join(__dirname, '../../node_modules');
    const documents = globSync('[a-f]*/{README,readme}.md', { cwd: folder });
    expect(documents.length).toBeGreaterThan(100);
    let [found, same] = [0, 0];
    for (const path of documents) {
      const markdown = readFileSync(join(folder, path), 'utf8');
      const others = new Set(theirs(markdown).map((block) => block.join(' ')));
      const own = ours(markdown).map((block) => block.join(' '));
      found += Math.max(own.length, others.size);
      same += own.filter((block) => others.has(block)).length;
    }
    expect(same / found).toBeGreaterThan(0.99);
  }, 120_000);
});
