import { lookUp } from '@lib/language/reading/word';
import type { Comparison } from './comparison';
import type { Statement } from './statement';
import { saysNothingElse } from './difference/leftover';
import { haveCommon, haveOnePolarity, haveOpposites, oneHoldsTheOther } from './compatibility';

/**
 * Share of a statement's weight that a clause must have to say as much, and the larger one that its sentence must have: in a sentence words
 * of several clauses meet by chance. Chosen on one half of the data of `make bench-claims`; from 0.8 to 0.9 the figures hardly move.
 */
const SAID_BY_CLAUSE = 0.85;
const SAID_BY_SENTENCE = 0.95;
/** Below this share of the clause, the sentence is not asked. */
const WORTH_ASKING = 0.5;
/** A statement of fewer terms, those of the question left out, says too little to be recognised. */
const MIN_TERMS = 2;
/** The degree of a copy: of all that say the same in a report, the copy tells that it is no witness. */
const COPIED = 2;
/** Share of a statement's weight that another must have to make it superfluous. */
const REPEATED = 0.6;

/** A clause or sentence that says what another statement says, and how far. */
export interface Support {
  statement: Statement;
  degree: number;
}

/** Whether the statement at `outer` or its sentence says what `inner` says, of whose weight the former has the share `shared`; null if not. */
export function supportFor(comparison: Comparison, inner: Statement, outer: number, shared: number): Support | null {
  if (shared < WORTH_ASKING || inner.reading.isDependent) return null;
  const { similarity, places } = comparison;
  const clause = comparison.statements[outer];
  const sentence = comparison.sentences[outer];
  if (shared < SAID_BY_CLAUSE && clause === sentence) return null;
  const place = places.get(inner) ?? -1;
  if (!clause || !sentence || similarity.tellingTermCount(place) < MIN_TERMS) return null;
  if (!isAboutSame(comparison, inner, sentence)) return null;
  if (shared >= SAID_BY_CLAUSE && isSaidIn(inner, clause))
    return { statement: clause, degree: inner.wording === clause.wording ? COPIED : shared };
  if (clause === sentence) return null;
  const inSentence = similarity.containment(place, places.get(sentence) ?? outer);
  return inSentence >= SAID_BY_SENTENCE && isSaidIn(inner, sentence) ? { statement: sentence, degree: inSentence } : null;
}

/** A sentence that lacks the subject of another speaks of it only if both name what the question is about. */
function isAboutSame({ question }: Comparison, inner: Statement, sentence: Statement): boolean {
  if (inner.head.size === 0 || haveCommon(inner.head, sentence.stems)) return true;
  return haveCommon(inner.head, question) && haveCommon(sentence.head, question);
}

/** True if `inner` adds nothing to `outer` that is worth a claim of its own. */
export function isRepeatedBy({ similarity, places }: Comparison, inner: Statement, outer: Statement): boolean {
  if (!oneHoldsTheOther(inner.reading.numbers, outer.reading.numbers) || !isSaidIn(inner, outer)) return false;
  return similarity.containment(places.get(inner) ?? -1, places.get(outer) ?? -1) >= REPEATED;
}

/** True if `outer` has every number and name of `inner` and says nothing to the contrary. */
function isSaidIn({ reading: inner }: Statement, { reading: outer }: Statement): boolean {
  if (!haveOnePolarity(inner, outer)) return false;
  for (const number of inner.numbers) if (!outer.numbers.has(number)) return false;
  for (const word of inner.properWords) if (!outer.properWords.has(word) && !outer.stems.has(lookUp(word).stem)) return false;
  return !haveOpposites(inner, outer) && (inner.wording === outer.wording || saysNothingElse(inner, outer));
}
