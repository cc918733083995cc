import type { Chunk, Document } from '../formats/passages';
import { plainUnits } from './plain-units';
import { sectionSource } from './section-source';
import type { Unit } from './unit';
import { readUnits } from './unit-reader';
import { withWhole } from './whole-section';

/** The quotable parts of neighbouring chunks of a section, in order. */
export function unitsOf(format: Document['format'], chunks: readonly Chunk[]): Unit[] {
  return format === 'markdown' ? withWhole(readUnits(sectionSource(chunks))) : plainUnits(chunks);
}
