import type { Group } from '../agreement/agreement';
import { ANSWERING, isLedBy } from '../sentences/answering';
import type { Comparison } from '../comparison/comparison';
import type { Statement } from '../statement/statement';
import { isShared } from './who-says';

/** Share of the heavier statement's weight that both have, at least, where two speak of one point; read on reports that rules are tuned on. */
const ONE_POINT = 0.2;

interface Ranked {
  group: Group;
  /** 0 for what has little to show for it and nobody disputes. */
  standing: number;
}

/**
 * At most so many of some ranked claims, in their order. Left out first is what one provider alone says with little to show for it, and no other
 * speaks of. What may not fit to another claim stays: a reader who sees one side alone cannot know that there is another.
 */
export function mostInformative<Claim extends Ranked>(ranked: readonly Claim[], comparison: Comparison, most: number): readonly Claim[] {
  if (ranked.length <= most) return ranked;
  const paired = onPointsOfOthers(comparison).union(verdictsOf(ranked));
  const isFirst = ({ group, standing }: Claim): boolean =>
    standing > 0 || isShared({ supporting: group }) || group.some((statement) => paired.has(statement));
  const kept = new Set([...ranked.filter(isFirst), ...ranked.filter((claim) => !isFirst(claim))].slice(0, most));
  return ranked.filter((claim) => kept.has(claim));
}

/** Of each step the first line of what its report itself calls its answer. */
function verdictsOf(ranked: readonly Ranked[]): ReadonlySet<Statement> {
  const firsts = new Map<string, Statement>();
  for (const one of ranked.flatMap(({ group }) => group)) {
    const first = firsts.get(one.stepId);
    if (isLedBy(ANSWERING, one) && (!first || one.start < first.start)) firsts.set(one.stepId, one);
  }
  return new Set(firsts.values());
}

/** The statements and sentences on whose point another provider tells something too, in whatever words. */
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
