/** Translates UTF-16 offsets of a text into UTF-8 bytes, as Google counts them. Offsets outside the text stay outside by the same distance. */
export function bytePositions(text: string): (offset: number) => number {
  const positions = new Uint32Array(text.length + 1);
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    positions[at] = bytes;
    const unit = text.charCodeAt(at);
    // Each half of a surrogate pair counts as two of its four bytes.
    const isHalf = unit >= 0xd800 && unit < 0xe000;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
  }
  positions[text.length] = bytes;
  return (offset) => (offset < 0 ? offset : offset > text.length ? bytes + offset - text.length : (positions[offset] ?? bytes));
}
