import fc from '../support/properties';

import { generateKey, keyIdOf } from '@lib/store/access/key-format';

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

it('a new key has the published form and carries its id', () => {
  const keys = Array.from({ length: 200 }, generateKey);
  for (const { keyId, keyText } of keys) {
    expect(keyText).toMatch(/^rt_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/);
    expect(keyText.slice(8, 20)).toBe(keyId);
    expect(keyIdOf(keyText)).toBe(keyId);
  }
  expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(200);
});

it('the checksum is the CRC-32 of what stands before it, in base62', () => {
  const text = 'rt_live_000000000000_00000000000000000000000000000000';
  const crc = [...text].reduce((rest, character) => table(rest ^ character.charCodeAt(0)) ^ (rest >>> 8), 0xffffffff);
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  for (let position = 0; position < 6; position += 1) {
    digits = CHARACTERS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  expect(keyIdOf(text + digits)).toBe('000000000000');
});

it('a key with one wrong character is refused', () => {
  const { keyText } = generateKey();
  const position = fc.integer({ min: 0, max: keyText.length - 1 });
  const character = fc.constantFrom(...CHARACTERS, '_', ' ', 'é');
  fc.assert(
    fc.property(position, character, (at, wrong) => {
      fc.pre(keyText[at] !== wrong);
      expect(keyIdOf(keyText.slice(0, at) + wrong + keyText.slice(at + 1))).toBeNull();
    }),
    { numRuns: 1000 },
  );
});

it('two exchanged characters, a cut key and any other text are refused', () => {
  const { keyText } = generateKey();
  for (let at = 8; at < keyText.length - 1; at += 1) {
    const exchanged = keyText.slice(0, at) + keyText.charAt(at + 1) + keyText.charAt(at) + keyText.slice(at + 2);
    if (exchanged !== keyText) expect(keyIdOf(exchanged)).toBeNull();
  }
  for (const text of ['', keyText.slice(0, -1), `${keyText}0`, `${keyText}\n`, keyText.toUpperCase(), 'rt_live__'])
    expect(keyIdOf(text)).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => keyIdOf(text) === null));
});

/** One step of the CRC-32 of ISO 3309, bit by bit. */
function table(byte: number): number {
  let value = byte & 0xff;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
}
