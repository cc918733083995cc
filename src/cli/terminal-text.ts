/** Text with the marks that a terminal shows: ECMA-48 for its looks, OSC 8 for links. */

const style =
  (on: number, off: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`;

export const bold = style(1, 22);
export const dim = style(2, 22);
export const italic = style(3, 23);
const underlined = style(4, 24);

/** The text as a link, where the address is one that may be opened: nothing in it can end the link. */
export function link(text: string, address: string): string {
  const url = URL.parse(address);
  if (!url || !['http:', 'https:', 'file:'].includes(url.protocol)) return text;
  const safe = url.href.replace(/[^\x21-\x7e]/g, encodeURIComponent);
  return `\u001b]8;;${safe}\u001b\\${underlined(text)}\u001b]8;;\u001b\\`;
}

const MARKS = /\u001b\[\d+m|\u001b\]8;;[^\u001b]*\u001b\\/g;

/** Breaks lines between words, so that none is longer than `width` characters to the eye; what follows the first is indented. */
export function wrapped(text: string, width: number, indent: string): string {
  const lines = text.split('\n').flatMap((line) => wrappedLine(line, width - indent.length));
  return lines.map((one, place) => (place === 0 ? one : indent + one)).join('\n');
}

function wrappedLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let length = 0;
  for (const word of text.split(' ')) {
    const size = [...word.replace(MARKS, '')].length;
    if (length > 0 && length + 1 + size > width) {
      lines.push(line);
      [line, length] = [word, size];
    } else {
      [line, length] = length > 0 ? [`${line} ${word}`, length + 1 + size] : [word, size];
    }
  }
  return [...lines, line];
}
