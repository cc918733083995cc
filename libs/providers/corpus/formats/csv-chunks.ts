import { collapseWhiteSpace } from '@lib/language/white-space';
import { parse } from 'csv-parse/sync';

import type { Chunk } from './passages';
import { valueChunks, type ValueRow } from './value-chunks';

const DELIMITERS = [',', ';', '\t', '|'];
/** Some programs write the delimiter into a line of its own before everything else. */
const NAMED_DELIMITER = /^sep=(.)\n/i;
/** How many lines tell the delimiter: the first may be a title. */
const LOOKED_AT = 20;
/** Lines count more than occurrences. */
const WEIGHS_MOST = 1_000_000;

/** The rows of a table of values (CSV, RFC 4180), each with the heads of its columns if a row names them. */
export const csvChunks = (text: string, extension: string): Chunk[] => valueChunks(rowsOf(text, extension), []);

function rowsOf(content: string, extension: string): ValueRow[] {
  const text = content.replace(/\r\n?/g, '\n');
  const named = NAMED_DELIMITER.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const delimiter = named?.[1] ?? (extension === '.csv' ? delimiterOf(body) : '\t');
  let line = named ? 2 : 1;
  return recordsOf(body, delimiter).map(({ record, raw }) => {
    const startLine = line;
    line += raw.match(/\n/g)?.length ?? 0;
    const endLine = raw.endsWith('\n') ? line - 1 : line;
    const cells = record.map(collapseWhiteSpace);
    return { cells, startLine, endLine };
  });
}

/** The delimiter that most of the first lines have; of several, the one that they have most often. */
function delimiterOf(text: string): string {
  const lines = text
    .split('\n', 2 * LOOKED_AT)
    .map((line) => line.replace(/"[^"]*"/g, ''))
    .filter((line) => line.trim() !== '')
    .slice(0, LOOKED_AT);
  const found = DELIMITERS.map((delimiter) => lines.map((line) => line.split(delimiter).length - 1).filter((count) => count > 0));
  const worth = found.map(
    (counts) =>
      counts.length * WEIGHS_MOST +
      Math.min(
        WEIGHS_MOST - 1,
        counts.reduce((sum, count) => sum + count, 0),
      ),
  );
  return DELIMITERS[worth.indexOf(Math.max(...worth))] ?? ',';
}

interface RawRecord {
  record: string[];
  raw: string;
}

/** Read leniently; if a quotation mark is left open, all of them are taken as text. */
function recordsOf(text: string, delimiter: string): RawRecord[] {
  const options = { delimiter, raw: true, ltrim: true, record_delimiter: '\n', relax_column_count: true } as const;
  try {
    return parse(text, { ...options, relax_quotes: true }) as unknown as RawRecord[];
  } catch {
    return parse(text, { ...options, quote: null }) as unknown as RawRecord[];
  }
}
