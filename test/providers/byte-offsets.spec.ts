import fc from '../support/properties';

import { utf16Offsets } from '@lib/providers/byte-offsets';

const characters = fc.constantFrom('a', '\n', 'é', '–', '字', '🚢', '👩‍🚀');
const texts = fc.array(characters, { maxLength: 30 }).map((parts) => parts.join(''));

describe('an offset in bytes', () => {
  it('becomes the UTF-16 offset of the same character', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        expect(utf16Offsets(before + after)(Buffer.byteLength(before))).toBe(before.length);
      }),
    );
  });

  it('counts as the start of the character that it lies in', () => {
    const offset = utf16Offsets('a🚢b');
    expect([0, 1, 2, 3, 4, 5, 6].map(offset)).toEqual([0, 1, 1, 1, 1, 3, 4]);
  });

  it.each([-1, 7, 1.5, Number.NaN, Infinity, '3', null, undefined])('is none outside of the text: %p', (bytes) => {
    expect(utf16Offsets('a🚢b')(bytes)).toBeNull();
  });
});
