import { ask, indexOf } from './ask-corpus';
import { folderOf } from './corpus-folder';
import { pdfOf } from './pdf-file';

const MANUAL = pdfOf(
  [
    [
      { text: 'Wren manual', size: 20 },
      { text: 'Wren is a logging daemon for small servers, and it never sleeps.', gap: 1 },
    ],
    [
      { text: 'Log rotation', size: 16 },
      { text: 'Wren rotates its log files at midnight, or as soon as a file is lar-', gap: 1 },
      { text: 'ger than the limit that the operator has set.' },
      { text: 'Rotated log files of Wren are kept for two weeks (fourteen days).', gap: 1 },
    ],
  ],
  { title: 'The Wren manual' },
);

describe('PDF documents', () => {
  it('are quoted by paragraph, under their headings, with the page as the place', async () => {
    const { markdown, citations } = await ask(folderOf({ 'books/manual.pdf': MANUAL }));
    expect(markdown).toContain('## Log rotation');
    expect(markdown).toContain(
      'Wren rotates its log files at midnight, or as soon as a file is larger than the limit that the operator has set. [',
    );
    expect(new Set(citations.map(({ url }) => url))).toEqual(new Set(['corpus:/books/manual.pdf#page=2']));
    for (const { url } of citations) expect(URL.canParse(url)).toBe(true);
  });

  it('are known by their title where a page has no heading', async () => {
    const { citations } = await ask(
      folderOf({
        'plain.pdf': pdfOf([[{ text: 'Wren rotates its log files at noon on the first day.' }]], { title: 'Wren in plain words' }),
      }),
    );
    expect(citations[0]).toMatchObject({ url: 'corpus:/plain.pdf#page=1', title: 'Wren in plain words' });
  });

  it('are skipped, each with a line in the log, when they are broken, encrypted, cut or no PDF', async () => {
    const folder = folderOf({
      'broken.pdf': 'Wren rotates its log files, but this is no PDF.',
      'cut.pdf': MANUAL.subarray(0, 60),
      'encrypted.pdf': pdfOf([[{ text: 'Wren rotates secret log files.' }]], { encrypted: true }),
      'empty.pdf': '',
      'good.pdf': MANUAL,
      'noise.pdf': Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(50_000, 0xa5)]),
    });
    const { index, logged } = await indexOf(folder);
    expect(index.documents).toBe(1);
    expect(logged.filter(({ message }) => message === 'a document is skipped')).toEqual([
      { level: 'warn', path: 'broken.pdf', reason: 'it is a broken PDF', message: 'a document is skipped' },
      { level: 'warn', path: 'cut.pdf', reason: 'it is a broken PDF', message: 'a document is skipped' },
      { level: 'warn', path: 'empty.pdf', reason: 'it is a broken PDF', message: 'a document is skipped' },
      { level: 'warn', path: 'encrypted.pdf', reason: 'it is encrypted', message: 'a document is skipped' },
      { level: 'warn', path: 'noise.pdf', reason: 'it is a broken PDF', message: 'a document is skipped' },
    ]);
    expect(JSON.stringify(logged)).not.toContain(folder);
  });
});
