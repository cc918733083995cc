import { haveCommon } from '@lib/language/sets';
import { CONFIDENCES, type Confidence } from '@lib/domain/vocabulary';
import { Reading } from '@lib/language/reading/reading';
import { unsaidIn } from '../difference/restatement';
import { shownAbove } from '../statement/above';
import type { Statement } from '../statement/statement';

interface Supported {
  reading: Reading;
  confidence: Confidence;
  supporting: readonly Statement[];
  contradicting: readonly Statement[];
}

/** Drops shared claims that are contained in another one, which has at least the same reports and as much confidence. */
export function withoutContained<Claim extends Supported>(claims: readonly Claim[]): Claim[] {
  const shared = claims.flatMap((claim) => (claim.supporting.length > 1 && claim.contradicting.length === 0 ? [comparedOf(claim)] : []));
  const contained = new Set<Supported>();
  for (const inner of shared)
    if (shared.some((outer) => inner !== outer && !contained.has(outer.claim) && isContainedIn(inner, outer))) contained.add(inner.claim);
  return contained.size === 0 ? [...claims] : claims.filter((claim) => !contained.has(claim));
}

/** A claim, with the properties that every comparison needs. */
interface Compared {
  claim: Supported;
  /** Rank of its confidence, the highest first. */
  doubt: number;
  /** An array, because iterating over one takes a fraction of the time of a set; the same for the stems. */
  steps: readonly string[];
  /** Stems of its reading. */
  stems: readonly string[];
  /** Stems of its subject, under all the names that its reports use. */
  head: ReadonlySet<string>;
  /** The part of its subject that only the headings name. */
  above: string;
}

function comparedOf(claim: Supported): Compared {
  const steps = claim.supporting.map(({ stepId }) => stepId);
  const head = new Set(claim.supporting.flatMap((statement) => [...statement.head]));
  const [first] = claim.supporting;
  const above = first ? shownAbove(first) : '';
  return { claim, doubt: CONFIDENCES.indexOf(claim.confidence), steps, stems: [...claim.reading.stems], head, above };
}

function isContainedIn({ claim: { reading: inner }, doubt, steps, stems, head, above }: Compared, other: Compared): boolean {
  if (other.doubt > doubt || above !== other.above || !steps.every((step) => other.steps.includes(step))) return false;
  const { reading: outer } = other.claim;
  const isNamedAlike = haveCommon(head, other.head);
  const isFuller = stems.some((stem) => !outer.stems.has(stem));
  if (isFuller && !(isNamedAlike && stems.every((stem) => outer.stems.has(stem) || head.has(stem)))) return false;
  return unsaidIn(isFuller ? withoutFullName(inner, outer, head) : inner, outer, () => false) === null;
}

/** Removes the extra parts of a subject's full name: about its subject "Ada Maria Roth" says no more than "Ada Roth". */
const withoutFullName = ({ text, tokens }: Reading, { stems }: Reading, head: ReadonlySet<string>): Reading =>
  new Reading(
    text,
    tokens.filter(({ word }) => stems.has(word.stem) || !head.has(word.stem)),
  );
