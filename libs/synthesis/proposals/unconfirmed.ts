import { surelySpeakOfOthers } from '../comparison/headings';
import type { Statement } from '../statement/statement';
import type { QuotedPlace, UnconfirmedProposal } from './accepted';
import type { Found } from './quoted-reports';
import { differenceIn, saidBy } from './same-or-other';

/**
 * What a model says of quotes that all stand in their reports: that two contradict each other, unless one says all of the other in the same words; or
 * that others agree with the first, but for those where the program sees a difference. Null if nothing is left.
 */
export function unconfirmedIn(kind: 'claim' | 'dispute', found: readonly Found[], asked: ReadonlySet<string>): UnconfirmedProposal | null {
  const [first, ...others] = found.flatMap((quote) => readAround(quote) ?? []);
  if (!first || (kind === 'dispute' && found.length !== 2)) return null;
  const isOpen = (other: QuoteInContext): boolean =>
    kind === 'dispute' ? !areInSameWords(first, other, asked) : differenceIn(first.around.reading, other.around.reading) === null;
  const open = others.filter((other) => maySpeakOfOneThing(first, other) && isOpen(other));
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
const maySpeakOfOneThing = ({ around: one }: QuoteInContext, { around: other }: QuoteInContext): boolean =>
  one.provider !== other.provider && !surelySpeakOfOthers(one, other);
