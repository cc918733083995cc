import { Parser } from 'htmlparser2';

import { HtmlReader } from './html-reader';
import type { DocumentText } from './passages';

/** Four times the nesting depth that browsers accept. */
const MAX_DEPTH = 2_000;

/** The readable text of an HTML page: one chunk per block element or row of a table, without invisible parts. */
export function htmlText(html: string): DocumentText {
  const reader = new HtmlReader(html);
  for (let from = 0; from < html.length;) from += readPart(reader, html.slice(from), from);
  reader.flush();
  return reader;
}

/**
 * Reads until elements are nested too deeply, then treats all of them as closed. The parser's time per element grows with its depth: a megabyte of
 * `<li>` took a minute.
 * @returns how many characters it has read
 */
function readPart(reader: HtmlReader, html: string, from: number): number {
  const open: string[] = [];
  let read = html.length;
  const parser = new Parser({
    onopentag: (name, attributes) => {
      open.push(name);
      reader.open(name, attributes);
      if (open.length < MAX_DEPTH) return;
      read = parser.endIndex + 1;
      parser.pause();
    },
    onclosetag: (name) => {
      open.pop();
      reader.close(name);
    },
    ontext: (text) => reader.text(text, from + parser.startIndex, from + parser.endIndex),
  });
  parser.end(html);
  for (const name of open.reverse()) reader.close(name);
  return read;
}
