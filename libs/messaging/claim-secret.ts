import { hash, randomBytes } from 'node:crypto';
import { claimIdOfDigest } from '@lib/domain/job/holder';

/** A worker's claim: its id is recorded and shown to everybody, its secret only goes to the saga. */
export interface ClaimPair {
  claimId: string;
  claimSecret: string;
}

export function newClaim(): ClaimPair {
  const claimSecret = randomBytes(32).toString('base64url');
  return { claimId: claimIdOfSecret(claimSecret), claimSecret };
}

export const claimIdOfSecret = (claimSecret: string): string => claimIdOfDigest(hash('sha256', claimSecret));
