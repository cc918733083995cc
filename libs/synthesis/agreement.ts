import type { Statement } from './claims';
import { Similarity } from './similarity';
import { slotsAgree } from './slots';

/** Two statements with such a cosine, or of which the shorter is contained in the longer to such a share, say the same. */
const SAME_COSINE = 0.6;
const SAME_CONTAINMENT = 0.85;
/** A contained statement of fewer terms says too little to be recognised. */
const MIN_CONTAINED_TERMS = 4;
/** Bounds of the search for pairs. */
const RAREST_TERMS = 8;
const MOST_PER_TERM_AND_STEP = 8;

/** What several providers, or one, say: at most one statement per step, the first of them the one that stands for all. */
export type Group = readonly [Statement, ...Statement[]];

/** The statements of a job with what is known about their likeness. */
export interface Comparison {
  statements: readonly Statement[];
  similarity: Similarity;
  /** Positions of statements of different steps that are worth comparing, lower first. */
  pairs: readonly (readonly [number, number])[];
}

/** Give the statements in a fixed order: positions break ties. */
export function compare(statements: readonly Statement[]): Comparison {
  const similarity = new Similarity(statements.map(({ stems }) => stems));
  return {
    statements,
    similarity,
    pairs: similarity.candidates(
      statements.map(({ stepId }) => stepId),
      RAREST_TERMS,
      MOST_PER_TERM_AND_STEP,
    ),
  };
}

/**
 * Groups the statements of different steps that say the same. Every two members of a group are alike and their typed slots agree
 * (complete linkage), so that a chain of small changes never joins what differs. Groups come in the order of their first statement.
 */
export function groupAgreeing({ statements, similarity, pairs }: Comparison): Group[] {
  const groupOf = statements.map((_, position) => [position]);
  const likeness = (left: number, right: number): number => likenessOf(statements, similarity, left, right);
  const alike: { left: number; right: number; likeness: number }[] = [];
  for (const [left, right] of pairs) {
    const degree = likeness(left, right);
    if (degree > 0) alike.push({ left, right, likeness: degree });
  }
  alike.sort((a, b) => b.likeness - a.likeness || a.left - b.left || a.right - b.right);
  for (const { left, right } of alike) {
    const [mine = [], yours = []] = [groupOf[left], groupOf[right]];
    if (mine === yours || !mine.every((member) => yours.every((other) => likeness(member, other) > 0))) continue;
    const merged = [...mine, ...yours].sort((a, b) => a - b);
    for (const member of merged) groupOf[member] = merged;
  }
  return [...new Set(groupOf)].map((members) => ledByRepresentative(members, statements, similarity));
}

/** 0 where two statements do not say the same or stand in one report. */
function likenessOf(statements: readonly Statement[], similarity: Similarity, left: number, right: number): number {
  const [mine, yours] = [statements[left], statements[right]];
  if (!mine || !yours || mine.stepId === yours.stepId || !slotsAgree(mine.slots, yours.slots)) return 0;
  const cosine = similarity.cosine(left, right);
  const [shorter, longer] = similarity.termCount(left) <= similarity.termCount(right) ? [left, right] : [right, left];
  const contained = similarity.termCount(shorter) >= MIN_CONTAINED_TERMS ? similarity.containment(shorter, longer) : 0;
  return cosine < SAME_COSINE && contained < SAME_CONTAINMENT ? 0 : Math.max(cosine, contained);
}

/** The representative is what the others contain best: all of them say at least that much. Then a cited one, then the most worth, then the first. */
function ledByRepresentative(members: readonly number[], statements: readonly Statement[], similarity: Similarity): Group {
  const ranked = members
    .flatMap((position) => {
      const statement = statements[position];
      const others = members.filter((other) => other !== position);
      const coverage = Math.min(1, ...others.map((other) => similarity.containment(position, other)));
      const covered = others.every((other) => statements[other] && statement?.slots.numbers.isSubsetOf(statements[other].slots.numbers));
      return statement ? [{ statement, position, coverage: covered ? coverage : coverage - 1 }] : [];
    })
    .sort((a, b) => b.coverage - a.coverage || b.statement.worth - a.statement.worth || a.position - b.position)
    .map(({ statement }) => statement);
  const [first, ...rest] = ranked;
  if (!first) throw new Error('A group without statements cannot be led');
  return [first, ...rest];
}
