import type { Claim } from '../claims/claim-table';

/** Whether several providers say it; what they only quote from documents they do not. */
export const isShared = (claim: Claim): boolean =>
  !isQuoted(claim) && claim.supporting.some(({ provider }) => provider !== claim.supporting[0]?.provider);

/** Whether it is quoted from documents, and nobody says it in words of his own. */
export const isQuoted = ({ supporting }: Claim): boolean => supporting.every(({ quotation }) => quotation);

export const isDisputed = ({ contradicting }: Claim): boolean => contradicting.length > 0;
