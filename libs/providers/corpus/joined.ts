import type { ScoredUnit } from './scoring';
import { areIntroducedAlike, type Unit } from './unit';

/** Neighbours are joined up to this length, which is that of a snippet. */
const MAX_LENGTH = 600;
/** Not joined: a list is complete already, and code has a lead-in of its own. */
const JOINED: ReadonlySet<Unit['kind']> = new Set(['row', 'item', 'prose']);
/**
 * Neighbours of these kinds are joined only if the weaker one has at least this share of the stronger one's strength, so that an answer is not buried
 * in other text. Steps are always joined, since their order matters.
 */
const NEAR = { row: 0.8, item: 0.6, prose: 0, list: 0, code: 0 } satisfies Record<Unit['kind'], number>;

/** Joins neighbouring rows, items or paragraphs into one quotation, in document order, at the rank of the best of them. */
export function withJoined(units: readonly ScoredUnit[]): ScoredUnit[] {
  const joined: ScoredUnit[] = [];
  for (const unit of units) {
    const at = joined.findIndex((other) => isBeside(unit, other));
    const other = joined[at];
    if (other) joined[at] = together(other, unit);
    else joined.push(unit);
  }
  // A unit between two others is joined with the second in the next round.
  return joined.length < units.length ? withJoined(joined) : joined;
}

function isBeside(one: ScoredUnit, other: ScoredUnit): boolean {
  if (one.unit.kind !== other.unit.kind || !JOINED.has(one.unit.kind) || one.passage !== other.passage) return false;
  if (!areIntroducedAlike(one.unit, other.unit) || one.unit.isWhole || other.unit.isWhole) return false;
  if (one.unit.text.length + '\n'.length + other.unit.text.length > MAX_LENGTH) return false;
  const areSteps = one.unit.isStep && other.unit.isStep;
  if (!areSteps && Math.min(one.strength, other.strength) < NEAR[one.unit.kind] * Math.max(one.strength, other.strength)) return false;
  return follows(one.unit, other.unit) || follows(other.unit, one.unit);
}

/** Paragraphs, and often items, are separated by a blank line. */
function follows(one: Unit, other: Unit): boolean {
  const lines = other.startLine - one.endLine;
  return lines === 1 || (lines === 2 && one.kind !== 'row');
}

function together(better: ScoredUnit, worse: ScoredUnit): ScoredUnit {
  const isFirst = better.unit.startLine < worse.unit.startLine;
  const [first, second] = isFirst ? [better, worse] : [worse, better];
  const unit = {
    ...better.unit,
    sentences: sentencesOf(first.unit, second.unit),
    text: `${first.unit.text}\n${second.unit.text}`,
    startLine: first.unit.startLine,
    endLine: second.unit.endLine,
  };
  return { ...better, unit, terms: first.terms.union(second.terms), quoted: first.quoted.union(second.quoted) };
}

/** The cells of a row are joined into one line, because each separate sentence would get a citation mark of its own. */
function sentencesOf(first: Unit, second: Unit): string[] {
  if (first.kind === 'row') return [[...first.sentences, ...second.sentences].join(' • ')];
  const [beginning = '', ...rest] = second.sentences;
  return [...first.sentences, first.kind === 'item' ? `• ${beginning}` : beginning, ...rest];
}
