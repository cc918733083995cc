import { readingOf } from '@lib/language/reading/read-text';
import { haveOneProvider } from '../claims/who-says';
import type { Claim } from '../claims/claim-table';
import type { QuotedPlace, StatementPlace, UnconfirmedProposal } from '../proposals/accepted';
import type { ComparedClaim } from './claim-features';

/** What a model says about two claims, and the program can neither confirm nor refute; null for nothing. */
export type ModelsView = (one: ComparedClaim, other: ComparedClaim) => UnconfirmedProposal['kind'] | null;

export const NO_VIEW: ModelsView = () => null;

/** Finds the claims that each proposal quotes. Of an agreement and a contradiction between the same two, the contradiction counts. */
export function modelsViewOn(claims: readonly Claim[], proposals: readonly UnconfirmedProposal[]): ModelsView {
  if (proposals.length === 0) return NO_VIEW;
  const views = new Map<ComparedClaim, Map<ComparedClaim, UnconfirmedProposal['kind']>>();
  const see = (one: Claim, other: Claim, kind: UnconfirmedProposal['kind']): void => {
    const ofOne = views.get(one) ?? new Map<ComparedClaim, UnconfirmedProposal['kind']>();
    views.set(one, ofOne);
    if (ofOne.get(other) !== 'contradiction') ofOne.set(other, kind);
  };
  for (const { kind, quotes } of proposals) {
    const [one, ...others] = quotes.map((quote) => claimAt(claims, quote));
    for (const other of others) {
      if (!one || !other || haveOneProvider(one, other)) continue;
      see(one, other, kind);
      see(other, one, kind);
    }
  }
  return (one, other) => views.get(one)?.get(other) ?? null;
}

/** Of the claims with a quote in their evidence, the one with most of its words; null if there is none. */
function claimAt(claims: readonly Claim[], quote: QuotedPlace): Claim | null {
  const { stems } = readingOf(quote.words);
  let [found, most]: [Claim | null, number] = [null, -1];
  for (const claim of claims) {
    if (!claim.supporting.some((said) => overlap(said, quote))) continue;
    const shared = claim.reading.stems.intersection(stems).size;
    if (shared > most) [found, most] = [claim, shared];
  }
  return found;
}

const overlap = (one: StatementPlace, other: StatementPlace): boolean =>
  one.stepId === other.stepId && one.start < other.end && other.start < one.end;
