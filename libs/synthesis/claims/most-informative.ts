import type { Group } from '../agreement/agreement';
import { ANSWERING, isLedBy } from '../sentences/answering';
import type { Comparison } from '../comparison/comparison';
import type { Statement } from '../statement/statement';
import { isShared } from './who-says';

/** Two statements are on the same point if they share at least this part of the heavier one's weight. Chosen on the tuning reports. */
const ONE_POINT = 0.2;

interface Ranked {
  group: Group;
  /** How well supported or disputed; 0 for neither. */
  precedence: number;
}

/**
 * The most informative of some ranked claims, at most `most`, in their order. Claims of a single provider with little support, on a point nobody else
 * mentions, are dropped first. Claims that may conflict with another one stay, because a reader who sees only one side cannot know about the other.
 */
export function mostInformative<Claim extends Ranked>(ranked: readonly Claim[], comparison: Comparison, most: number): readonly Claim[] {
  if (ranked.length <= most) return ranked;
  const paired = onPointsOfOthers(comparison).union(verdictsOf(ranked));
  const isFirst = ({ group, precedence }: Claim): boolean =>
    precedence > 0 || isShared({ supporting: group }) || group.some((statement) => paired.has(statement));
  const kept = new Set([...ranked.filter(isFirst), ...ranked.filter((claim) => !isFirst(claim))].slice(0, most));
  return ranked.filter((claim) => kept.has(claim));
}

/** For each step, the first line that its report itself calls its answer. */
function verdictsOf(ranked: readonly Ranked[]): ReadonlySet<Statement> {
  const firsts = new Map<string, Statement>();
  for (const one of ranked.flatMap(({ group }) => group)) {
    const first = firsts.get(one.stepId);
    if (isLedBy(ANSWERING, one) && (!first || one.start < first.start)) firsts.set(one.stepId, one);
  }
  return new Set(firsts.values());
}

/** The statements and sentences on a point that another provider also mentions, in whatever words. */
function onPointsOfOthers({ statements, sentences, similarity, pairs }: Comparison): ReadonlySet<Statement> {
  const isFound = new Uint8Array(statements.length);
  for (let right = 0; right < statements.length; right += 1) {
    const end = pairs.begins[right + 1] ?? 0;
    for (let pair = pairs.begins[right] ?? 0; pair < end; pair += 1) {
      const left = pairs.lefts[pair] ?? 0;
      if (statements[left]?.provider === statements[right]?.provider) continue;
      if ((pairs.shared[pair] ?? 0) < ONE_POINT * Math.max(similarity.mass(left), similarity.mass(right))) continue;
      isFound[left] = isFound[right] = 1;
    }
  }
  const isFoundAt = (_: Statement, place: number): boolean => isFound[place] === 1;
  return new Set([...statements.filter(isFoundAt), ...sentences.filter(isFoundAt)]);
}
