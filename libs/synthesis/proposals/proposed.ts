import type { Group } from '../agreement/agreement';
import type { Statement } from '../statement/statement';
import type { Contradiction } from '../contradiction/contradiction';
import { placeKey, type AcceptedProposals, type StatementPlace } from './accepted';

/** Accepted proposals, resolved to statements. */
export interface Proposed {
  /** Groups that say the same; the first statement of a group is what all of them say. */
  agreements: readonly Group[];
  disputes: readonly Contradiction[];
  /** Statements that a model considers important. */
  chosen: ReadonlySet<Statement>;
  /** For each first statement of an agreement, those that say it in other words. */
  inOtherWords: ReadonlyMap<Statement, ReadonlySet<Statement>>;
}

export const NOTHING_PROPOSED: Proposed = { agreements: [], disputes: [], chosen: new Set(), inOtherWords: new Map() };

/** Finds the statements that accepted proposals refer to. */
export function proposedIn(statements: readonly Statement[], { claims, disputes }: AcceptedProposals): Proposed {
  const all = statements.flatMap((statement) => [...statement.clauses, statement]);
  const known = new Map(all.map((statement) => [placeKey(statement), statement]));
  for (const place of [...claims.flat(), ...disputes.flatMap(({ sides }) => sides)]) {
    const stretch = known.has(placeKey(place)) ? null : stretchAt(statements, place);
    if (stretch) known.set(placeKey(place), stretch);
  }
  const found = claims.map((places) => places.flatMap((place) => known.get(placeKey(place)) ?? []));
  const inOtherWords = new Map<Statement, ReadonlySet<Statement>>();
  for (const [first, ...others] of claims) {
    const said = known.get(placeKey(first));
    const own = others.flatMap((place) => (place.isInOtherWords ? (known.get(placeKey(place)) ?? []) : []));
    if (said) inOtherWords.set(said, new Set([...(inOtherWords.get(said) ?? []), ...own]));
  }
  return {
    agreements: found.flatMap(([first, ...others]): Group[] => (first && others.length > 0 ? [[first, ...others]] : [])),
    disputes: disputes.flatMap(({ sides, cue }): Contradiction[] => {
      const [left, right] = sides.map((place) => known.get(placeKey(place)));
      return left && right ? [{ left, right, cue }] : [];
    }),
    chosen: new Set(found.flat()),
    inOtherWords,
  };
}

const NOBODY: ReadonlySet<Statement> = new Set();

/** The statements that are in a group only because the model said so: no rule saw that they say the same as another one. */
export function byModelAlone(group: Group, inOtherWords: Proposed['inOtherWords']): ReadonlySet<Statement> {
  if (inOtherWords.size === 0) return NOBODY;
  const said = new Set(group.flatMap((statement) => [statement, ...statement.clauses]));
  return new Set(
    [...inOtherWords].flatMap(([first, others]) => {
      const own = group.filter((statement) => others.has(statement));
      return said.has(first) || own.length > 1 ? own : [];
    }),
  );
}

/**
 * The proposed disputes whose sides the rules did not put into one group, as a whole or by a part that they share: a model's word does not undo an
 * agreement that the program has seen.
 */
export function notAgreed(disputes: readonly Contradiction[], groups: readonly Group[]): readonly Contradiction[] {
  const shared = groups.filter((group) => new Set(group.map(({ stepId }) => stepId)).size > 1);
  const isIn = (side: Statement, group: Group): boolean =>
    group.some(({ stepId, start, end }) => stepId === side.stepId && start < side.end && side.start < end);
  return disputes.filter(({ left, right }) => !shared.some((group) => isIn(left, group) && isIn(right, group)));
}

/** All contradictions, those that the rules found first; none twice. */
export function withDisputes(found: readonly Contradiction[], proposed: readonly Contradiction[]): readonly Contradiction[] {
  const isFound = ({ left, right }: Contradiction): boolean =>
    found.some((other) => (other.left === left && other.right === right) || (other.left === right && other.right === left));
  return proposed.length === 0 ? found : [...found, ...proposed.filter((dispute) => !isFound(dispute))];
}

/**
 * Adds a group for each side of a proposed dispute that has none yet, such as a sentence compared only by its clauses, or a part of one. Its clauses
 * need no group of their own unless somebody else supports or contradicts them.
 */
export function withSides(
  groups: readonly Group[],
  disputes: readonly Contradiction[],
  contradictions: readonly Contradiction[],
): readonly Group[] {
  const compared = new Set(groups.flat());
  const sides = new Set(disputes.flatMap(({ left, right }) => [left, right]).filter((side) => !compared.has(side)));
  if (sides.size === 0) return groups;
  const told = new Set([...sides].flatMap(({ clauses }) => clauses));
  for (const { left, right } of contradictions) for (const side of [left, right]) told.delete(side);
  return [...groups.filter((group) => group.length > 1 || !told.has(group[0])), ...[...sides].map((side): Group => [side])];
}

/** The part of a statement at a place, if it states something by itself. */
function stretchAt(statements: readonly Statement[], { stepId, start, end }: StatementPlace): Statement | null {
  const sentence = statements.find(
    (statement) => statement.stretches !== null && statement.stepId === stepId && statement.start <= start && statement.end >= end,
  );
  return sentence?.stretches?.between(start, end) ?? null;
}

/** The groups including the proposed ones; a group that says no more than a proposed one is merged into it. */
export function withAgreements(groups: readonly Group[], agreements: readonly Group[], contradictions: readonly Contradiction[]): Group[] {
  let all = [...groups];
  for (const [first, ...proposed] of agreements) {
    if (contradictions.some(({ left, right }) => proposed.includes(left === first ? right : left) && (left === first || right === first)))
      continue;
    const own = all.find(([lead]) => lead === first) ?? [first];
    const steps = new Set(own.map(({ stepId }) => stepId));
    const joined: Group = [first, ...own.slice(1), ...proposed.filter(({ stepId }) => !steps.has(stepId))];
    const members = new Set(joined.flatMap((statement) => [statement, ...(statement === first ? statement.clauses : [])]));
    const place = Math.max(
      0,
      all.findIndex(([lead]) => members.has(lead)),
    );
    const rest = all.filter((group) => group !== own && !isIn(group, members, first));
    all = [...rest.slice(0, place), joined, ...rest.slice(place)];
  }
  return all;
}

/** With at most this many extra words, a statement may just be worded differently. */
const LITTLE_MORE = 2;

/** Whether a group says nothing beyond the first statement and has no further members. */
function isIn(group: Group, members: ReadonlySet<Statement>, first: Statement): boolean {
  if (!group.every((statement) => members.has(statement))) return false;
  const [{ reading }] = group;
  if (reading.meaningfulCount > first.reading.meaningfulCount + LITTLE_MORE) return false;
  return reading.numbers.isSubsetOf(first.reading.numbers) && reading.properWords.isSubsetOf(first.reading.properWords);
}
