import type { ScoredUnit } from './scoring';

/** Rows are joined up to this length, that of a snippet. */
const LONGEST = 600;
/** Rows are joined that score at least this share of the best of them. */
const NEAR = 0.8;

/** Neighbouring rows of a table are one quotation, in the order of the table, at the place of the best of them. */
export function withJoinedRows(units: readonly ScoredUnit[]): ScoredUnit[] {
  const joined: ScoredUnit[] = [];
  for (const unit of units) {
    const at = joined.findIndex((other) => isBeside(unit, other));
    const other = joined[at];
    if (other) joined[at] = rowsOf(other, unit);
    else joined.push(unit);
  }
  // A row between two others joins them in the next round.
  return joined.length < units.length ? withJoinedRows(joined) : joined;
}

function isBeside(one: ScoredUnit, other: ScoredUnit): boolean {
  if (one.unit.kind !== 'row' || other.unit.kind !== 'row' || one.passage !== other.passage) return false;
  if (one.unit.text.length + '\n'.length + other.unit.text.length > LONGEST) return false;
  if (Math.min(one.score, other.score) < NEAR * Math.max(one.score, other.score)) return false;
  return one.unit.endLine + 1 === other.unit.startLine || other.unit.endLine + 1 === one.unit.startLine;
}

function rowsOf(better: ScoredUnit, worse: ScoredUnit): ScoredUnit {
  const isFirst = better.unit.startLine < worse.unit.startLine;
  const [first, second] = isFirst ? [better, worse] : [worse, better];
  const unit = {
    ...better.unit,
    sentences: [[...first.unit.sentences, ...second.unit.sentences].join(' • ')],
    text: `${first.unit.text}\n${second.unit.text}`,
    startLine: first.unit.startLine,
    endLine: second.unit.endLine,
  };
  return { ...better, unit, terms: first.terms.union(second.terms) };
}
