/** Longest title in user-perceived characters, including the ellipsis of a shortened one. */
const MAX_GRAPHEMES = 49;
const ELLIPSIS = '...';
const KEPT_GRAPHEMES = MAX_GRAPHEMES - ELLIPSIS.length;

/** In such a text every character is a grapheme, so the segmenter, which takes some 10 microseconds per thread, is not needed. */
const PRINTABLE_ASCII = /^[ -~]*$/;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** A thread's title: its first message in one line, cut between graphemes if it is longer than 49 of them. */
export function titleOf(message: string): string {
  const line = message.replace(/\s+/gu, ' ').trim();
  if (PRINTABLE_ASCII.test(line.slice(0, MAX_GRAPHEMES + 1))) {
    return line.length > MAX_GRAPHEMES ? line.slice(0, KEPT_GRAPHEMES) + ELLIPSIS : line;
  }
  let count = 0;
  let cut = 0;
  for (const { index } of graphemes.segment(line)) {
    if (count === KEPT_GRAPHEMES) cut = index;
    if (count === MAX_GRAPHEMES) return line.slice(0, cut) + ELLIPSIS;
    count += 1;
  }
  return line;
}
