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
