import { sameName, type NameRun } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';

/** The terms and names of a statement, possibly without those that fill a slot. */
export type TermsAndNames = Pick<Reading, 'terms' | 'names'>;

/** How much two statements have in common: their terms, with a name and its short form taken as equal. */
export interface TermAlignment {
  shared: number;
  onlyLeft: readonly string[];
  onlyRight: readonly string[];
}

/** At least this many terms must be shared for an extra one to count as a detail. */
const SHARED_FOR_DETAIL = 3;
/** As many as two names, or two lists of authors, can contain. */
const MAX_MISSING = 6;

/** Null if both contain many terms that the other lacks. */
export function alignTerms(left: TermsAndNames, right: TermsAndNames): TermAlignment | null {
  const onlyLeft = missingIn(left, right);
  const onlyRight = missingIn(right, left);
  if (Math.min(onlyLeft.length, onlyRight.length) > MAX_MISSING) return null;
  const shared = left.terms.size - onlyLeft.length;
  return { shared, onlyLeft: inOtherWords(onlyLeft, left, right), onlyRight: inOtherWords(onlyRight, right, left) };
}

/** Whether each statement says something that the other does not. */
export function differsInBoth({ onlyLeft, onlyRight }: TermAlignment): boolean {
  return onlyLeft.length > 0 && onlyRight.length > 0;
}

/** Whether two statements are the same apart from what a cue examines: one side may add a little, but not both. */
export function saysTheSame(alignment: TermAlignment, mostDetail = 1): boolean {
  const { shared, onlyLeft, onlyRight } = alignment;
  if (shared === 0 || differsInBoth(alignment)) return false;
  const detail = onlyLeft.length + onlyRight.length;
  return detail === 0 || (shared >= SHARED_FOR_DETAIL && detail <= mostDetail);
}

const NOTHING: readonly string[] = [];

function missingIn(mine: TermsAndNames, yours: TermsAndNames): readonly string[] {
  let missing: string[] | undefined;
  for (const term of mine.terms) if (!yours.terms.has(term)) (missing ??= []).push(term);
  return missing ?? NOTHING;
}

/** The terms without those of names that `yours` has in a shorter or longer form. */
function inOtherWords(terms: readonly string[], mine: TermsAndNames, yours: TermsAndNames): readonly string[] {
  if (terms.length === 0 || mine.names.length === 0 || yours.names.length === 0) return terms;
  const known = abbreviated(mine, yours);
  return known.size === 0 ? terms : terms.filter((term) => !known.has(term));
}

/** Stems of the names in `mine` that `yours` has in a shorter or longer form. */
function abbreviated(mine: TermsAndNames, yours: TermsAndNames): Set<string> {
  const known = (run: NameRun): boolean => yours.names.some((other) => sameName(run.parts, other.parts));
  return new Set(mine.names.filter(known).flatMap(({ tokens }) => tokens.map(({ word }) => word.stem)));
}

/** The statement without the words that fill the slot in question, to compare the rest. */
export function without({ terms, names }: TermsAndNames, stems: ReadonlySet<string>): TermsAndNames {
  return {
    names: names.filter(({ tokens }) => !tokens.every(({ word }) => stems.has(word.stem))),
    terms: terms.difference(stems),
  };
}
