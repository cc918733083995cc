/** Longest title in user-perceived characters, including the ellipsis of a shortened one. */
const MAX_GRAPHEMES = 49;
const ELLIPSIS = '...';
const KEPT_GRAPHEMES = MAX_GRAPHEMES - ELLIPSIS.length;
/** A letter with any number of marks is one grapheme. The longest emoji have ten code points, so 49 of those still fit. */
const MAX_CODE_POINTS = 500;
const KEPT_CODE_POINTS = MAX_CODE_POINTS - ELLIPSIS.length;

/** In such a text every character is a grapheme, so the segmenter, which takes some 10 microseconds per thread, is not needed. */
const PRINTABLE_ASCII = /^[ -~]*$/;
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** A thread's title: its first message in one line, cut between graphemes if it is longer than 49 of them, or than 500 code points. */
export function titleOf(message: string): string {
  const line = message.replace(/\s+/gu, ' ').trim();
  if (PRINTABLE_ASCII.test(line.slice(0, MAX_GRAPHEMES + 1))) {
    return line.length > MAX_GRAPHEMES ? line.slice(0, KEPT_GRAPHEMES) + ELLIPSIS : line;
  }
  let count = 0;
  let codePoints = 0;
  let cut = 0;
  for (const { index, segment } of graphemes.segment(line)) {
    if (count <= KEPT_GRAPHEMES && codePoints <= KEPT_CODE_POINTS) cut = index;
    codePoints += codePointsOf(segment);
    if (count === MAX_GRAPHEMES || codePoints > MAX_CODE_POINTS) return shortened(line, cut);
    count += 1;
  }
  return line;
}

/** Of the beginning only: nothing that is longer fits. */
const codePointsOf = (grapheme: string): number => [...grapheme.slice(0, 2 * MAX_CODE_POINTS + 2)].length;

/** @param cut between two graphemes; 0 if not even the first one fits, which is cut itself then */
function shortened(line: string, cut: number): string {
  const kept = cut === 0 ? [...line.slice(0, 2 * KEPT_CODE_POINTS)].slice(0, KEPT_CODE_POINTS).join('') : line.slice(0, cut);
  return kept + ELLIPSIS;
}
