import type { ScoredUnit } from './scoring';
import { markOf } from '../formats/lists';
import { areIntroducedAlike, type Unit } from '../units/unit';

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
  return follows(one, other) || follows(other, one);
}

/**
 * One follows the other with a blank line between them at most, and nothing else: of a list, an item skipped in the middle would be missing. The items
 * of an HTML list may stand in one line.
 */
function follows(one: ScoredUnit, other: ScoredUnit): boolean {
  const lines = other.unit.startLine - one.unit.endLine;
  const { kind } = one.unit;
  return other.first === one.last + 1 && lines >= (kind === 'item' ? 0 : 1) && lines <= (kind === 'row' ? 1 : 2);
}

function together(better: ScoredUnit, worse: ScoredUnit): ScoredUnit {
  const [first, second] = better.first < worse.first ? [better, worse] : [worse, better];
  const { step: _, ...unnumbered } = better.unit;
  const { step } = first.unit;
  const unit = {
    ...unnumbered,
    ...(step !== undefined && { step }),
    sentences: sentencesOf(first.unit, second.unit),
    text: `${first.unit.text}\n${second.unit.text}`,
    startLine: first.unit.startLine,
    endLine: second.unit.endLine,
  };
  return {
    ...better,
    unit,
    first: first.first,
    last: second.last,
    terms: first.terms.union(second.terms),
    quoted: first.quoted.union(second.quoted),
  };
}

/** The cells of a row are joined into one line, because each separate sentence would get a citation mark of its own. */
function sentencesOf(first: Unit, second: Unit): string[] {
  if (first.kind === 'row') return [[...first.sentences, ...second.sentences].join(' • ')];
  const [beginning = '', ...rest] = second.sentences;
  return [...first.sentences, first.kind === 'item' ? `${markOf(second.step)} ${beginning}` : beginning, ...rest];
}
