import { ask, indexOf } from './ask-corpus';
import { folderOf } from './corpus-folder';

const TEXT = 'Notizen der Küche\r\n\r\nDie Kaffeemühle läuft „täglich“ für höchstens 12 €.\r\n';
const ASKED = 'Wie oft läuft die Kaffeemühle?';
const big = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
/** Windows-1252, of which Latin-1 is most. */
const windows = (text: string): Buffer =>
  Buffer.from(text.replaceAll('€', '\x80').replaceAll('„', '\x84').replaceAll('“', '\x93'), 'latin1');

const page = (charset: string, body: string): string =>
  `<html><head><meta http-equiv="Content-Type" content="text/html; charset=${charset}"><title>Wren</title></head><body><p>${body}</p></body></html>`;

describe('a text of a program that writes no UTF-8', () => {
  it.each<[string, Buffer]>([
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`, 'utf16le')],
    ['UTF-16 of the other byte order', big(`\uFEFF${TEXT}`)],
    ['UTF-16 without a mark', Buffer.from(TEXT, 'utf16le')],
    ['UTF-16 of the other byte order without a mark', big(TEXT)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['Windows-1252', windows(TEXT)],
  ])('is quoted as it reads: %s', async (_, content) => {
    const { markdown, citations } = await ask(folderOf({ 'notizen.txt': content }), { query: ASKED });
    expect(markdown).toContain('Die Kaffeemühle läuft „täglich“ für höchstens 12 €. [');
    expect(citations[0]?.url).toBe('corpus:/notizen.txt#L3-L3');
  });

  it('is read as a page says', async () => {
    const body = Buffer.from('Wren \xd2\xb2\xd1\xb8\xb7\xad\xb2\xe9', 'latin1');
    const folder = folderOf({ 'page.html': Buffer.from(page('GB2312', body.toString('latin1')), 'latin1') });
    const { index } = await indexOf(folder);
    expect(index.passage(0)?.chunks[0]?.text).toBe(`Wren ${new TextDecoder('gb18030').decode(body.subarray(5))}`);
  });

  it.each<[string, Buffer]>([
    ['Chinese', Buffer.from('Wren \xc8\xd5\xd6\xbe\xce\xc4\xbc\xfe\xc2\xd6\xd7\xaa', 'latin1')],
    ['Polish', Buffer.from('Wren jest w³a\xb6ciwie bardzo zwyk\xb3ym m\xb3ynem', 'latin1')],
    ['UTF-8 that was cut', Buffer.from('Die Kaffeemühle mahlt täglich, sagt die Kü').subarray(0, -1)],
    ['UTF-8 with a damaged byte', Buffer.concat([Buffer.from('Die Kaffeemühle '), Buffer.of(0xff), Buffer.from(' läuft')])],
    ['a control character', Buffer.from('Wren \x07 rotates \xe9 files', 'latin1')],
  ])('is not guessed at: %s', async (_, content) => {
    const { logged } = await indexOf(folderOf({ 'notes.txt': content }));
    expect(logged).toContainEqual(expect.objectContaining({ path: 'notes.txt', reason: 'it is not UTF-8' }));
  });
});
