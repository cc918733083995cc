import fc from '../support/properties';
import { isStopWord, stems, words } from '@lib/language/tokens';

describe('words', () => {
  it.each<[string, string[]]>([
    ['The setErrorHandler of reply.send() costs $3.50', ['the', 'seterrorhandler', 'of', 'reply.send', 'costs', '$3.50']],
    ["Don't panic: v1.2.3, 1,000 at 12:30.", ["don't", 'panic', 'v1.2.3', '1,000', 'at', '12:30']],
    ['long-running on_error a,b x:y', ['long', 'running', 'on_error', 'a', 'b', 'x', 'y']],
    ['Ｆｕｌｌ ＷＩＤＴＨ Straße ÉTÉ don’t', ['full', 'width', 'straße', 'été', "don't"]],
    ['مرحبا بالعالم', ['مرحبا', 'بالعالم']],
    ['', []],
  ])('%s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('separates the words of a script without spaces', () => {
    expect(words('東京は日本の首都です').length).toBeGreaterThan(2);
  });

  it('gives lower-cased words without white space for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of words(text)) expect(word).toMatch(/^\S+$/u);
      }),
    );
  });
});

describe('stems', () => {
  it('joins the forms of a word and leaves out stop words', () => {
    expect(stems('The handlers are handling errors')).toEqual(stems('a handler handles the error'));
    expect(stems('of the and')).toEqual([]);
  });

  it('leaves identifiers and numbers as they are', () => {
    expect(stems('on_errors 2024 reply.sends')).toEqual(['on_errors', '2024', 'reply.sends']);
  });

  it('reads a word of 200 KB', () => {
    expect(stems('ya'.repeat(100_000))).toHaveLength(1);
  });
});

test('negations are stop words: they say nothing about the subject', () => {
  expect(isStopWord('not')).toBe(true);
  expect(isStopWord('error')).toBe(false);
});
