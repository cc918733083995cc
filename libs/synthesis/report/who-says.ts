import type { Claim } from '../claims/claim-table';

/** Whether several providers say it; what they only quote from documents they do not. */
export const isShared = (claim: Claim): boolean => !isQuoted(claim) && isSaidBySeveral([claim]);

/** Whether some claims are of more than one provider. */
export function isSaidBySeveral(claims: readonly Claim[]): boolean {
  const providers = claims.flatMap(({ supporting }) => supporting.map(({ provider }) => provider));
  return providers.some((provider) => provider !== providers[0]);
}

/** Whether it is quoted from documents, and nobody says it in words of his own. */
export const isQuoted = ({ supporting }: Claim): boolean => supporting.every(({ quotation }) => quotation);

export const isDisputed = ({ contradicting }: Claim): boolean => contradicting.length > 0;
