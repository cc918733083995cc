import { countIn } from './json';

/**
 * Translates offsets in the UTF-8 bytes of a text into UTF-16 units. An offset inside a character gives the character's start; one outside the
 * text gives null.
 */
export function utf16Offsets(text: string): (byteOffset: unknown) => number | null {
  const bytes = bytesBefore(text);
  return (byteOffset) => {
    const wanted = countIn(byteOffset);
    if (wanted === null || wanted > (bytes[text.length] ?? 0)) return null;
    let low = 0;
    let high = text.length;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((bytes[middle] ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    return low;
  };
}

/** For each UTF-16 offset, the number of bytes before it. The middle of a surrogate pair counts as its end, so that no offset splits the pair. */
function bytesBefore(text: string): Uint32Array {
  const bytes = new Uint32Array(text.length + 1);
  let at = 0;
  let count = 0;
  for (const character of text) {
    bytes[at] = count;
    count += Buffer.byteLength(character);
    if (character.length === 2) bytes[at + 1] = count;
    at += character.length;
  }
  bytes[at] = count;
  return bytes;
}
