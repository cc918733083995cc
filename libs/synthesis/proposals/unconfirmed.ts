import { surelySpeakOfOthers } from '../comparison/headings';
import type { Statement } from '../statement/statement';
import type { QuotedPlace, UnconfirmedProposal } from './accepted';
import type { Found } from './quoted-reports';
import { differenceIn, saidBy } from './same-or-other';

/** The contradiction that a model sees between two quotes; none if one says all of the other in the same words. */
export function unconfirmedContradiction(found: readonly Found[], asked: ReadonlySet<string>): UnconfirmedProposal[] {
  const [one, other] = found.map(readAround);
  if (found.length !== 2 || !one || !other || areInSameWords(one, other, asked) || !maySpeakOfOneThing(one, other)) return [];
  return [{ kind: 'contradiction', sides: [one.place, other.place] }];
}

/** The agreement of the other quotes with the first one that was found, as a model sees it; none where the program sees a difference. */
export function unconfirmedAgreements(found: readonly Found[]): UnconfirmedProposal[] {
  const [first, ...others] = found.flatMap((quote) => readAround(quote) ?? []);
  if (!first) return [];
  return others.flatMap((other): UnconfirmedProposal[] =>
    maySpeakOfOneThing(first, other) && differenceIn(first.around.reading, other.around.reading) === null
      ? [{ kind: 'agreement', sides: [first.place, other.place] }]
      : [],
  );
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
