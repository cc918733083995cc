import { readDocument } from '@lib/providers/corpus/read-document';

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
