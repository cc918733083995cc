import type { ProviderId } from '@lib/domain/vocabulary';
import type { Statement } from '../statement/statement';

interface SaidBy {
  supporting: readonly Statement[];
}

/** Whether several providers say it; what they only quote from documents they do not. */
export const isShared = ({ supporting }: SaidBy): boolean =>
  !isQuoted({ supporting }) && supporting.some(({ provider }) => provider !== supporting[0]?.provider);

/** Whether it is quoted from documents, and nobody says it in words of his own. */
export const isQuoted = ({ supporting }: SaidBy): boolean => supporting.every(({ quotation }) => quotation);

export const isDisputed = ({ contradicting }: { contradicting: readonly Statement[] }): boolean => contradicting.length > 0;

/** Each once, in the order in which they come first. */
export const providersOf = (saying: readonly { provider: ProviderId }[]): ProviderId[] => [
  ...new Set(saying.map(({ provider }) => provider)),
];
