import fc from '../support/properties';

import { titleOf } from '@lib/domain/title';

const FAMILY = '👨‍👩‍👧‍👦';
const ACCENTED = 'e\u0301';
const FLAG = '🇪🇺';

it.each([
  ['short', 'A question', 'A question'],
  ['white space of every kind', ' \tA\r\n\u00a0 long\u2003\u2028question \ufeff', 'A long question'],
  ['49 characters', 'a'.repeat(49), 'a'.repeat(49)],
  ['50 characters', 'a'.repeat(50), `${'a'.repeat(46)}...`],
  ['49 families', FAMILY.repeat(49), FAMILY.repeat(49)],
  ['50 families', FAMILY.repeat(50), `${FAMILY.repeat(46)}...`],
  ['a family as the 49th', `${'a'.repeat(48)}${FAMILY}`, `${'a'.repeat(48)}${FAMILY}`],
  ['an accent at the cut', `${'a'.repeat(45)}${ACCENTED.repeat(5)}`, `${'a'.repeat(45)}${ACCENTED}...`],
  ['flags, which are pairs of letters', FLAG.repeat(60), `${FLAG.repeat(46)}...`],
  ['a letter with a thousand marks', `a${'\u0301'.repeat(1000)}`, `a${'\u0301'.repeat(496)}...`],
  ['such a letter behind others', `abc e${'\u0301'.repeat(1000)}`, 'abc ...'],
  ['letters with a hundred marks', `e${'\u0301'.repeat(99)}`.repeat(9), `${`e${'\u0301'.repeat(99)}`.repeat(4)}...`],
  ['a space at the cut', `${'a'.repeat(45)} ${'b'.repeat(10)}`, `${'a'.repeat(45)} ...`],
])('of %s', (_, message, title) => {
  expect(titleOf(message)).toBe(title);
});

it('has at most 49 graphemes, all from the start of the message, whatever the message', () => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const message = fc.string({ unit: 'grapheme', maxLength: 120 });
  fc.assert(
    fc.property(message, (text) => {
      const title = titleOf(text);
      const line = text.replace(/\s+/gu, ' ').trim();
      expect([...segmenter.segment(title)].length).toBeLessThanOrEqual(49);
      expect(title === line || (title.endsWith('...') && line.startsWith(title.slice(0, -3)))).toBe(true);
    }),
  );
});

it('of the longest messages takes no time to speak of', () => {
  const started = performance.now();
  for (const message of ['😀'.repeat(32_000), ' '.repeat(32_000), `a${'\u0301'.repeat(31_999)}`])
    for (let round = 0; round < 20; round += 1) titleOf(message);
  expect(performance.now() - started).toBeLessThan(1000);
});
