import { createTwoFilesPatch } from 'diff';
import type { Synthesis } from '@lib/synthesis/synthesis';
import { plainText } from './plain-text';

type Comparable = Pick<Synthesis, 'synthesizer' | 'markdown' | 'claims'>;
type ComparableClaim = Synthesis['claims'][number];

/** Differences between two syntheses of the same steps, for people: the claims that differ, then the reports line by line. */
export function synthesisDifference(recorded: Comparable, current: Comparable): string {
  const claims = claimDifferences(recorded.claims, current.claims);
  const isSame = claims.length === 0 && recorded.markdown === current.markdown;
  const heading = `Recorded by ${recorded.synthesizer} with ${recorded.claims.length} claims; ${current.synthesizer} makes ${current.claims.length}.`;
  if (isSame) return `${heading}\nNothing differs.\n`;
  const patch = createTwoFilesPatch(recorded.synthesizer, current.synthesizer, recorded.markdown, current.markdown, 'recorded', 'current');
  return plainText([heading, ...(claims.length > 0 ? claims : ['The claims are the same.']), '', patch].join('\n'));
}

function claimDifferences(recorded: readonly ComparableClaim[], current: readonly ComparableClaim[]): string[] {
  const now = new Map(current.map((claim) => [claim.claim, claim]));
  const before = new Map(recorded.map((claim) => [claim.claim, claim]));
  const gone = recorded.filter(({ claim }) => !now.has(claim)).map((claim) => `- ${standing(claim)}`);
  const fresh = current.filter(({ claim }) => !before.has(claim)).map((claim) => `+ ${standing(claim)}`);
  const changed = current.flatMap((claim) => {
    const old = before.get(claim.claim);
    return old && standing(old) !== standing(claim) ? [`~ ${standing(old)} -> ${support(claim)}`] : [];
  });
  return [...gone, ...fresh, ...changed];
}

const standing = (claim: ComparableClaim): string => `${claim.claim} ${support(claim)}`;

function support({ confidence, supporting, contradicting }: ComparableClaim): string {
  const against = contradicting.length > 0 ? `; against: ${providersOf(contradicting)}` : '';
  return `[${confidence}] (${providersOf(supporting)}${against})`;
}

const providersOf = (evidence: ComparableClaim['supporting']): string =>
  [...new Set(evidence.map(({ provider }) => provider))].sort().join(', ');
