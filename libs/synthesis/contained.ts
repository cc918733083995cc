import { CONFIDENCES, type Confidence } from '@lib/domain/vocabulary';
import type { Reading } from '@lib/language/reading/reading';
import { unsaidIn } from './difference/restatement';
import type { Statement } from './statement';

interface Supported {
  reading: Reading;
  confidence: Confidence;
  supporting: readonly Statement[];
  contradicting: readonly Statement[];
}

/** Without the claims of several reports that another one says too and more: for each of their reports, and with as much confidence. */
export function withoutContained<Claim extends Supported>(claims: readonly Claim[]): Claim[] {
  const shared = claims.filter(({ supporting, contradicting }) => supporting.length > 1 && contradicting.length === 0);
  const contained = new Set<Claim>();
  for (const inner of shared) if (shared.some((outer) => !contained.has(outer) && isContainedIn(inner, outer))) contained.add(inner);
  return contained.size === 0 ? [...claims] : claims.filter((claim) => !contained.has(claim));
}

function isContainedIn(inner: Supported, outer: Supported): boolean {
  if (inner === outer || CONFIDENCES.indexOf(outer.confidence) > CONFIDENCES.indexOf(inner.confidence)) return false;
  const steps = new Set(outer.supporting.map(({ stepId }) => stepId));
  if (!inner.supporting.every(({ stepId }) => steps.has(stepId))) return false;
  const [mine, yours] = [inner.supporting, outer.supporting].map((statements) => statements.find(({ head }) => head.size > 0)?.head);
  for (const stem of inner.reading.stems)
    if (!outer.reading.stems.has(stem) && !(mine?.has(stem) && yours?.isDisjointFrom(mine) === false)) return false;
  return unsaidIn(inner.reading, outer.reading, ({ word }) => mine?.has(word.stem) === true) === null;
}
