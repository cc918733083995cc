import type { StructuredTextItem } from 'unpdf';

export interface Line {
  text: string;
  /** Its parts between wide gaps: one for running text, several for a table row or for neighbouring columns. */
  cells: readonly Cell[];
  /** Distance from the bottom of the page, in points. */
  y: number;
  fontSize: number;
}

export interface Cell {
  text: string;
  /** Distance of both ends from the left edge of the page, in points. */
  from: number;
  to: number;
}

/** A gap wider than this multiple of the font size separates cells; gaps between justified words are smaller. */
const CELL_GAP = 1.5;
/** The marker of a list item, which often stands far from its text. */
const IS_MARK = /^\s*(?:[-*+•–▪◦‣·]|\d{1,3}[.)]|\p{L}[.)])\s*$/u;
/** Anything after this many cells belongs to the last one. No table is that wide, and each cell is compared with the surrounding lines. */
const MAX_CELLS = 100;
/**
 * Columns need at least this many lines of neighbouring text. In prose columns the lines have at least this many characters on average, unlike most
 * table cells. The search stops at more columns or lines than a page has, since each line is compared with all below it.
 */
const COLUMNS = { lines: 4, characters: 22, most: 8, mostLines: 300 };
/** How many lines at the top and at the bottom of a page may be headers or footers. */
const EDGE_LINES = 2;
/** Largest difference in height between the same header on two pages, in points. */
const SAME_PLACE = 2;
const MAX_FURNITURE_LENGTH = 200;

/** Joins items at the same height of the page into a line. */
export function linesOf(items: readonly StructuredTextItem[]): Line[] {
  const lines: (Line & { cells: Cell[] })[] = [];
  for (const { str, x, y, width, fontSize } of items) {
    if (str.trim() === '') continue;
    const line = lines.at(-1);
    const cell = { text: str, from: x, to: x + width };
    if (!line || Math.abs(line.y - y) >= fontSize / 2) {
      lines.push({ text: str, cells: [cell], y, fontSize });
      continue;
    }
    const gap = /\s$/.test(line.text) ? '' : ' ';
    line.text += `${gap}${str}`;
    const last = line.cells.at(-1);
    const isSame = last && (x - last.to <= CELL_GAP * fontSize || IS_MARK.test(last.text) || line.cells.length >= MAX_CELLS);
    if (isSame) Object.assign(last, { text: `${last.text}${gap}${str}`, to: Math.max(last.to, cell.to) });
    else line.cells.push(cell);
  }
  return inColumns(lines);
}

/** Whether two cells belong to one column: their left or their right edges are aligned. */
export function isAligned(one: Cell, other: Cell, { fontSize }: Line): boolean {
  return Math.abs(one.from - other.from) <= fontSize || Math.abs(one.to - other.to) <= fontSize / 2;
}

/** Reorders columns of prose that the file holds row by row, so that each column is read to its end. */
function inColumns(lines: readonly Line[]): Line[] {
  const ordered: Line[] = [];
  for (let at = 0; at < lines.length;) {
    const run = runOfColumns(lines, at);
    const columns = lines[at]?.cells.map((column) => run.flatMap((line) => columnOf(line, column))) ?? [];
    const isProse = run.length >= COLUMNS.lines && columns.every(isProseColumn);
    ordered.push(...(isProse ? columns.flat() : lines.slice(at, at + 1)));
    at += isProse ? run.length : 1;
  }
  return ordered;
}

/** The lines, starting with one of several cells, whose cells all begin where that line's cells begin. */
function runOfColumns(lines: readonly Line[], from: number): Line[] {
  const first = lines[from];
  if (!first || first.cells.length < 2 || first.cells.length > COLUMNS.most) return [];
  const ends = first.cells.slice(1).map((cell) => cell.from);
  const fits = ({ cells, fontSize }: Line): boolean =>
    cells.every((cell) => {
      const column = first.cells.findIndex((other) => Math.abs(other.from - cell.from) <= fontSize / 2);
      return column >= 0 && cell.to < (ends[column] ?? Infinity);
    });
  const below = lines.slice(from, from + COLUMNS.mostLines);
  const end = below.findIndex((line, at) => at > 0 && (!fits(line) || line.y > (below[at - 1]?.y ?? 0)));
  return end < 0 ? below : below.slice(0, end);
}

function columnOf({ cells, y, fontSize }: Line, column: Cell): Line[] {
  const cell = cells.find(({ from }) => Math.abs(from - column.from) <= fontSize / 2);
  return cell ? [{ text: cell.text, cells: [cell], y, fontSize }] : [];
}

function isProseColumn(lines: readonly Line[]): boolean {
  const characters = lines.reduce((sum, { text }) => sum + text.length, 0);
  return lines.length >= COLUMNS.lines && characters / lines.length >= COLUMNS.characters;
}

/** The pages without headers and footers. A line repeated at the same height at the edge of several pages is kept only where it occurs first. */
export function withoutFurniture(pages: readonly (readonly Line[])[]): Line[][] {
  const seen = new Map<string, { y: number; pages: number[] }[]>();
  for (const [at, lines] of pages.entries())
    for (const line of atEdges(lines))
      for (const key of keysOf(line, at)) {
        const places = seen.get(key) ?? [];
        seen.set(key, places);
        const place = places.find(({ y }) => Math.abs(y - line.y) <= SAME_PLACE);
        if (place) place.pages.push(at);
        else places.push({ y: line.y, pages: [at] });
      }
  const isFurniture = (line: Line, at: number): boolean =>
    keysOf(line, at).some((key, number) => {
      const place = seen.get(key)?.find(({ y }) => Math.abs(y - line.y) <= SAME_PLACE);
      // Two pages may share a line by chance. A page number says nothing, so it goes even where it occurs first.
      return place !== undefined && place.pages.length >= leastPages(pages.length, number > 0) && (number > 0 || place.pages[0] !== at);
    });
  return pages.map((lines, at) => {
    const edges = new Set(atEdges(lines));
    return lines.filter((line) => !edges.has(line) || !isFurniture(line, at));
  });
}

/** Headers may differ between left and right pages, and page numbers may start again in each chapter. */
const leastPages = (pages: number, isCounted: boolean): number => Math.max(2, isCounted ? Math.min(3, pages) : Math.floor(pages / 3));

/** The top and bottom lines of a page, except for the head of a table that continues there. */
function atEdges(lines: readonly Line[]): Line[] {
  const sorted = lines.toSorted((one, other) => other.y - one.y);
  const edges = [...sorted.slice(0, EDGE_LINES), ...sorted.slice(-EDGE_LINES)];
  const isHead = (line: Line): boolean => {
    const next = sorted[sorted.indexOf(line) + 1];
    return (
      line.cells.length > 1 &&
      next?.cells.length === line.cells.length &&
      next.cells.every((cell, at) => isAligned(line.cells[at] ?? cell, cell, line))
    );
  };
  return Array.from(new Set(edges)).filter((line) => line.text.length <= MAX_FURNITURE_LENGTH && !isHead(line));
}

/**
 * The keys that identify a line on other pages: its text and, for each number in it, the text around together with the number minus the page index.
 */
function keysOf({ text }: Line, page: number): string[] {
  const numbered = Array.from(text.matchAll(/\d{1,4}/g), ({ 0: number, index }) => {
    const around = `${text.slice(0, index)}#${text.slice(index + number.length)}`;
    return `${around}\n${String(Number(number) - page)}`;
  });
  return [text, ...numbered];
}
