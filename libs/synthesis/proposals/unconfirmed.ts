import { surelySpeakOfOthers } from '../comparison/headings';
import type { Statement } from '../statement/statement';
import type { QuotedPlace, UnconfirmedProposal } from './accepted';
import type { Found } from './quoted-reports';
import { differenceIn, saidBy } from './same-or-other';

/**
 * The part of a proposal that the program can neither confirm nor refute. Of a dispute: both quotes, unless one repeats the other in the same words.
 * Of an agreement: the first quote and those in which no difference from it is seen. Null if none.
 */
export function unconfirmedIn(kind: 'claim' | 'dispute', found: readonly Found[], asked: ReadonlySet<string>): UnconfirmedProposal | null {
  const [first, ...others] = found.flatMap((quote) => readAround(quote) ?? []);
  if (!first || (kind === 'dispute' && found.length !== 2)) return null;
  const isOpen = (other: QuoteInContext): boolean =>
    kind === 'dispute' ? !areInSameWords(first, other, asked) : differenceIn(first.around.reading, other.around.reading) === null;
  const open = others.filter((other) => mayBeCompared(first, other) && isOpen(other));
  const quotes = [first, ...open].map(({ place }) => place) as [QuotedPlace, ...QuotedPlace[]];
  return open.length === 0 ? null : { kind: kind === 'dispute' ? 'contradiction' : 'agreement', quotes };
}

/** A quote with the clause or sentence that holds it. */
interface QuoteInContext {
  around: Statement;
  place: QuotedPlace;
}

function readAround({ whole, place }: Found): QuoteInContext | null {
  const around = whole.at(-1);
  return around && place ? { around, place } : null;
}

const areInSameWords = ({ around: one }: QuoteInContext, { around: other }: QuoteInContext, asked: ReadonlySet<string>): boolean =>
  [saidBy(one.reading, other.reading, asked), saidBy(other.reading, one.reading, asked)].includes('in the same words');

/** Whether two statements come from different providers, and no heading shows that they are about different things. */
const mayBeCompared = ({ around: one }: QuoteInContext, { around: other }: QuoteInContext): boolean =>
  one.provider !== other.provider && !surelySpeakOfOthers(one, other);
