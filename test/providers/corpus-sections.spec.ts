import { readDocument } from '@lib/providers/corpus/formats/read-document';

const DOCUMENT = `---
title: left out
---
<div align="center">
  <h1><img src="a.png"> Wren</h1>
</div>

Wren rotates logs.

[![badge][image]][page] Install
-------

- one
- two

\`\`\`sh
# no heading

wren --rotate
\`\`\`

> quoted

### \`rotate()\` &amp; more ###
Last words.

[image]: https://a.example/b.png
[page]: https://a.example/
`;

describe('the sections of a Markdown document', () => {
  it('have titles without markup and chunks that are cut at blank lines outside code', async () => {
    const { document, passages } = await readDocument('docs/wren.md', Buffer.from(DOCUMENT.replaceAll('\n', '\r\n')));
    expect(document.title).toBe('Wren');
    expect(passages.map(({ headings }) => headings)).toEqual([['Wren'], ['Wren', 'Install'], ['Wren', 'Install', 'rotate() & more']]);
    const chunks = passages.flatMap((passage) => passage.chunks.map(({ startLine, endLine, text }) => [startLine, endLine, text]));
    expect(chunks).toEqual([
      [8, 8, 'Wren rotates logs.'],
      [13, 14, '- one\n- two'],
      [16, 20, '```sh\n# no heading\n\nwren --rotate\n```'],
      [22, 22, '> quoted'],
      [25, 25, 'Last words.'],
      [27, 28, '[image]: https://a.example/b.png\n[page]: https://a.example/'],
    ]);
  });
});

describe('the sections of a text without markup', () => {
  const sectionsOf = async (text: string) => {
    const { document, passages } = await readDocument('docs/wren.txt', Buffer.from(text));
    const lines = passages.flatMap(({ headings, chunks }) => chunks.map((chunk) => [headings, chunk.startLine, chunk.text]));
    return { title: document.title, lines };
  };

  it('are those below its underlined headings', async () => {
    const text = `==========
Wren guide
==========

Rotates logs.

Options
=======

keepFiles
---------
Files to keep.

Limits
======

At most 99.
`;
    const { title, lines } = await sectionsOf(text.replaceAll('\n', '\r\n'));
    expect(title).toBe('Wren guide');
    expect(lines).toEqual([
      [['Wren guide'], 5, 'Rotates logs.'],
      [['Wren guide', 'Options', 'keepFiles'], 12, 'Files to keep.'],
      [['Wren guide', 'Limits'], 17, 'At most 99.'],
    ]);
  });

  it.each([
    ['below the heads of a table', 'Plan     Price\n--------------\nBasic    9 EUR'],
    ['below a paragraph', 'Wren rotates logs at midnight, or\nwhenever a file is full\n-----------------------\nElsewhere'],
    ['below a sentence', 'Wren rotates logs.\n------------------\nWren keeps files.\n------------------'],
    ['of its own', '-----\n\nWren rotates logs\n\n-----'],
    ['far shorter than the line above', 'Wren rotates all of its logs at midnight\n---\nElsewhere'],
  ])('do not begin with a rule %s', async (_, text) => {
    const { title, lines } = await sectionsOf(text);
    expect(title).toBe('wren.txt');
    expect(lines.map(([headings]) => headings)).toEqual(lines.map(() => []));
    expect(lines.map(([, , said]) => said).join('\n\n')).toBe(text);
  });
});
