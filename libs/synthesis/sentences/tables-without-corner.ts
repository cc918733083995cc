import type { Block } from '@lib/language/markdown/block';

/** The line below the heads of a table, without white space around it. No two parts may match the same, or a long line would take quadratic time. */
const DELIMITERS = /^\|?\s*:?-+:?\s*\|(?:\s*:?-+:?\s*\|)*(?:\s*:?-+:?)?$/;
/** Fewest lines of a table: its heads, the line below them and a row. */
const LEAST_LINES = 3;
const BAR = /(?<!\\)\|/;

/**
 * The blocks of a report, where the heads of a table get an empty first one if each row has one cell more than there are heads: "| Oil | Gas |" above
 * "| Lifetime | 20 years | 15 years |". Markdown would drop the last cell of each row, or not see a table at all.
 */
export function withCorners(blocks: readonly Block[], report: string): readonly Block[] {
  if (!report.includes('|')) return blocks;
  let end = 0;
  return blocks.flatMap((block, place) => {
    if (block.kind === 'paragraph') return tableInParagraph(block, report) ?? [block];
    if (block.kind !== 'tableHeader') return place < end ? [withCells(block, cellsOf(report.slice(block.start, block.end)))] : [block];
    const rows = rowsBelow(blocks, place);
    const heads = cellsOf(report.slice(block.start, block.end));
    if (!isOneShort(heads, rows, report)) return [block];
    end = place + 1 + rows.length;
    return [withCells(block, ['', ...heads])];
  });
}

/** A table that Markdown takes for a paragraph, since the line below its heads has one column more than these. */
function tableInParagraph(block: Block, report: string): Block[] | null {
  const lines = report.slice(block.start, block.end).split('\n');
  const [first = '', second = '', ...rows] = lines;
  if (lines.length < LEAST_LINES || !BAR.test(first) || !DELIMITERS.test(second.trim())) return null;
  const heads = cellsOf(first);
  if ([second, ...rows].some((line) => cellsOf(line).length !== heads.length + 1)) return null;
  let start = block.start;
  return lines.flatMap((line, place) => {
    const at = { start, end: start + line.trimEnd().length, startLine: block.startLine + place, endLine: block.startLine + place };
    start += line.length + 1;
    if (place === 1) return [];
    return [place === 0 ? block.part('tableHeader', at, ['', ...heads]) : block.part('tableRow', at, cellsOf(line))];
  });
}

const withCells = (block: Block, cells: readonly string[]): Block => block.part(block.kind, block, cells);

function rowsBelow(blocks: readonly Block[], header: number): readonly Block[] {
  let to = header + 1;
  while (blocks[to]?.kind === 'tableRow') to += 1;
  return blocks.slice(header + 1, to);
}

const isOneShort = (heads: readonly string[], rows: readonly Block[], report: string): boolean =>
  rows.length > 0 && rows.every(({ start, end }) => cellsOf(report.slice(start, end)).length === heads.length + 1);

/** The cells of a line, as GitHub divides it. */
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(BAR)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
