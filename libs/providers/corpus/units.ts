import { plainLine } from './markdown-line';
import type { Chunk, Document } from './passages';
import { piecesOf } from './pieces';
import { sectionSource } from './section-source';
import type { Unit } from './unit';
import { readUnits } from './unit-reader';
import { withWhole } from './whole-section';

/** The quotable parts of neighbouring chunks of a section, in order. */
export function unitsOf(format: Document['format'], chunks: readonly Chunk[]): Unit[] {
  if (format === 'markdown') return withWhole(readUnits(sectionSource(chunks)));
  return chunks.flatMap(({ text, startLine, endLine, page }) =>
    piecesOf('prose', plainLine(text), { startLine, endLine, ...(page !== undefined && { page }) }, { above: '', introduction: [] }),
  );
}
