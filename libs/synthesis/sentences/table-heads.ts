import type { Block } from '@lib/language/markdown/block';
import { labelText } from './run-in-heading';

/** The column heads, and the first cells that occur in several rows. */
export interface Table {
  heads: readonly string[];
  repeated: ReadonlySet<string>;
}
export const NO_TABLE: Table = { heads: [], repeated: new Set() };

/** Whether it is the first row of a table whose heads are all empty, which are no block. */
export const isBelowEmptyHeads = ({ kind, start }: Block, before: Block | undefined, report: string): boolean =>
  kind === 'tableRow' && before?.kind !== 'tableHeader' && (before === undefined || report.slice(before.end, start).split('\n').length > 2);

/** @param header the place of its heads or, if these are empty, of its first row */
export function tableAt(header: number, blocks: readonly Block[]): Table {
  const [firsts, repeated] = [new Set<string>(), new Set<string>()];
  const isHeaded = blocks[header]?.kind === 'tableHeader';
  for (let at = isHeaded ? header + 1 : header; blocks[at]?.kind === 'tableRow'; at += 1) {
    const [first = ''] = blocks[at]?.cells ?? [];
    (firsts.has(first) ? repeated : firsts).add(first);
  }
  return { heads: isHeaded ? (blocks[header]?.cells.map(labelText) ?? []) : [], repeated };
}
