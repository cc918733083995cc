/** Translates UTF-16 offsets of a text into bytes of its UTF-8 form, in which Google counts. Offsets outside of the text stay as far outside. */
export function bytePositions(text: string): (offset: number) => number {
  const positions = new Uint32Array(text.length + 1);
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    positions[at] = bytes;
    const unit = text.charCodeAt(at);
    // Each half of a surrogate pair counts for half of its four bytes.
    const isHalf = unit >= 0xd800 && unit < 0xe000;
    bytes += unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3;
  }
  positions[text.length] = bytes;
  return (offset) => (offset < 0 ? offset : offset > text.length ? bytes + offset - text.length : (positions[offset] ?? bytes));
}
