import type { Confidence } from '@lib/domain/vocabulary';
import { compare, groupAgreeing, type Comparison, type Group } from './agreement';
import type { Statement } from './claims';
import { confidenceOf } from './confidence';
import { findContradictions } from './contradiction';
import { slotsAgree } from './slots';

/** A claim with the statements behind it, which know more than the evidence that is recorded. */
export interface Claim {
  text: string;
  confidence: Confidence;
  /** Sorted by provider, step and place, as `contradicting` is. */
  supporting: readonly Statement[];
  contradicting: readonly Statement[];
}

/** What a reader can take in; the rest stays in the providers' own reports. */
export const MAX_CLAIMS = 30;

/** An own claim this like one that is listed already says nothing new. */
const REPEATED_COSINE = 0.75;

const RELEVANCE_WEIGHT = 4;

/**
 * The claims of a job, best first: by confidence, disputed ones before those that one provider alone says, then by how much they have to do
 * with the question. Give the statements sorted by provider, step and place: that order breaks ties.
 */
export function claimTable(statements: readonly Statement[], question: ReadonlySet<string>): Claim[] {
  const comparison = compare(statements);
  const groups = groupAgreeing(comparison);
  const opponents = opponentsOf(groups, comparison);
  const ranked = groups
    .map((group) => ({ group, claim: claimOf(group, opponents.get(group) ?? []) }))
    .map(({ group, claim }) => ({ group, claim, standing: standingOf(claim), rank: rankOf(group, question) }))
    .sort((a, b) => b.standing - a.standing || b.rank - a.rank);
  return withoutRepetition(ranked, comparison).map(({ claim }) => claim);
}

function claimOf(group: Group, against: readonly Statement[]): Claim {
  const supporting = inOrder(group);
  const own = new Set(group.map(({ provider }) => provider));
  // A provider on both sides is a witness for neither.
  const contradicting = firstPerStep(inOrder(against)).filter(({ provider }) => !own.has(provider));
  return { text: group[0].text, confidence: confidenceOf(supporting, contradicting.length > 0), supporting, contradicting };
}

/** For each group the statements of all groups that contradict it in some sentence. */
function opponentsOf(groups: readonly Group[], comparison: Comparison): Map<Group, Statement[]> {
  const groupOf = new Map(groups.flatMap((group) => group.map((statement) => [statement, group] as const)));
  const opponents = new Map<Group, Set<Statement>>();
  for (const { left, right } of findContradictions(comparison)) {
    const [mine, yours] = [groupOf.get(left), groupOf.get(right)];
    if (!mine || !yours || mine === yours) continue;
    addTo(opponents, mine, yours);
    addTo(opponents, yours, mine);
  }
  return new Map([...opponents].map(([group, against]) => [group, [...against]]));
}

function addTo(opponents: Map<Group, Set<Statement>>, group: Group, against: Group): void {
  const all = opponents.get(group) ?? new Set();
  for (const statement of against) all.add(statement);
  opponents.set(group, all);
}

function standingOf({ confidence, contradicting }: Claim): number {
  if (contradicting.length > 0) return 1;
  return { high: 3, medium: 2, low: 0 }[confidence];
}

function rankOf(group: Group, question: ReadonlySet<string>): number {
  const [{ stems, worth }] = group;
  const relevance = question.size === 0 ? 0 : stems.intersection(question).size / question.size;
  return RELEVANCE_WEIGHT * relevance + worth + new Set(group.map(({ provider }) => provider)).size;
}

function withoutRepetition<Ranked extends { group: Group; claim: Claim }>(
  ranked: readonly Ranked[],
  { statements, similarity }: Comparison,
): Ranked[] {
  const positions = new Map(statements.map((statement, position) => [statement, position]));
  const kept: Ranked[] = [];
  for (const candidate of ranked) {
    if (kept.length === MAX_CLAIMS) break;
    const [mine] = candidate.group;
    const isRepeated = kept.some(({ group: [theirs] }) => {
      if (!slotsAgree(mine.slots, theirs.slots)) return false;
      return similarity.cosine(positions.get(mine) ?? 0, positions.get(theirs) ?? 0) >= REPEATED_COSINE;
    });
    if (!isRepeated || candidate.claim.contradicting.length > 0) kept.push(candidate);
  }
  return kept;
}

/** One sentence of a report is enough to show that it disagrees. */
function firstPerStep(statements: readonly Statement[]): Statement[] {
  const steps = new Map(statements.toReversed().map((statement) => [statement.stepId, statement]));
  return inOrder([...steps.values()]);
}

function inOrder(statements: readonly Statement[]): Statement[] {
  return statements.toSorted((a, b) => byText(a.provider, b.provider) || byText(a.stepId, b.stepId) || a.start - b.start);
}

/** By UTF-16 units, the same on every machine. */
export function byText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
