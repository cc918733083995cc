import type { ProviderId } from '@lib/domain/vocabulary';
import type { Statement } from '../statement/statement';

interface SaidBy {
  supporting: readonly Statement[];
}

/** Whether several providers say it; only quoting it from documents does not count. */
export const isShared = ({ supporting }: SaidBy): boolean =>
  !isQuoted({ supporting }) && supporting.some(({ provider }) => provider !== supporting[0]?.provider);

/** Whether it is only quoted from documents, and nobody says it in their own words. */
export const isQuoted = ({ supporting }: SaidBy): boolean => supporting.every(({ quotation }) => quotation);

export const isDisputed = ({ contradicting }: { contradicting: readonly Statement[] }): boolean => contradicting.length > 0;

/** Distinct providers, in order of first appearance. */
export const providersOf = (saying: readonly { provider: ProviderId }[]): ProviderId[] => [
  ...new Set(saying.map(({ provider }) => provider)),
];

/** Whether two claims come from one provider, whose report is not taken to contradict itself. */
export const haveOneProvider = ({ supporting: mine }: SaidBy, { supporting: theirs }: SaidBy): boolean =>
  mine.some(({ provider }) => theirs.some((said) => said.provider === provider));

/** Whether the other claim is what one of the claim's providers says in full, where the claim is only what it shares with others. */
export const tellsInFull = ({ supporting: full }: SaidBy, { supporting: shared }: SaidBy): boolean =>
  full.every((one) => shared.some(({ stepId, start, end }) => stepId === one.stepId && start < one.end && one.start < end));
