/** A line with its number in the document, from 1. */
export interface RstLine {
  text: string;
  number: number;
}

/** How many lines from here on are indented or empty, without the empty ones at the end. */
export function lengthOfBody(lines: readonly RstLine[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length; at += 1) {
    const text = lines[at]?.text ?? '';
    if (text !== '' && !text.startsWith(' ')) break;
    if (text !== '') end = at + 1;
  }
  return end - from;
}

/** The lines without the indentation that all of them have. */
export function dedented(lines: readonly RstLine[]): RstLine[] {
  const widths = lines.flatMap(({ text }) => (text === '' ? [] : [text.length - text.trimStart().length]));
  const width = widths.reduce((least, other) => Math.min(least, other), Infinity);
  return lines.map(({ text, number }) => ({ text: text.slice(width), number }));
}

const OPTION = /^:([A-Za-z][\w -]*):(?: +(.*))?$/;

interface Option {
  name: string;
  value: string;
}

/** The options of a directive, which are the first lines below it. */
export function optionsOf(body: readonly RstLine[]): Option[] {
  const options: Option[] = [];
  for (const { text } of body) {
    const [, name, value = ''] = OPTION.exec(text) ?? [];
    if (name === undefined) break;
    options.push({ name, value });
  }
  return options;
}
