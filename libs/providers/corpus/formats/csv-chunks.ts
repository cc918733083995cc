import { collapseWhiteSpace } from '@lib/language/white-space';
import { parse } from 'csv-parse/sync';

import type { Chunk } from './passages';
import { valueChunks, type ValueRow } from './value-chunks';

const DELIMITERS = [',', ';', '\t', '|'];
/** Some programs write the delimiter into a line of its own before everything else. */
const NAMED_DELIMITER = /^sep=(.)\r?\n/i;
/** The rows of a table of values (CSV, RFC 4180), each with the heads of its columns if the first full row names them. */
export const csvChunks = (text: string, extension: string): Chunk[] => valueChunks(rowsOf(text, extension), []);

function rowsOf(text: string, extension: string): ValueRow[] {
  const named = NAMED_DELIMITER.exec(text);
  const body = named ? text.slice(named[0].length) : text;
  const delimiter = named?.[1] ?? (extension === '.csv' ? delimiterOf(body) : '\t');
  let line = named ? 2 : 1;
  return recordsOf(body, delimiter).flatMap(({ record, raw }) => {
    const startLine = line;
    line += raw.match(/\n/g)?.length ?? 0;
    const endLine = raw.endsWith('\n') ? line - 1 : line;
    const cells = record.map(collapseWhiteSpace);
    return cells.some((cell) => cell !== '') ? [{ cells, startLine, endLine }] : [];
  });
}

/** The delimiter that the first line has most often. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}

interface RawRecord {
  record: string[];
  raw: string;
}

/** Read leniently; if a quotation mark is left open, all of them are taken as text. */
function recordsOf(text: string, delimiter: string): RawRecord[] {
  const options = { delimiter, raw: true, ltrim: true, relax_column_count: true } as const;
  try {
    return parse(text, { ...options, relax_quotes: true }) as unknown as RawRecord[];
  } catch {
    return parse(text, { ...options, quote: null }) as unknown as RawRecord[];
  }
}
