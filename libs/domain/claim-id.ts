import { isId } from './ids';

/**
 * The public identifier of a claim: its job's identifier and the claim's place in the job's list, from 1. It is derived, not stored, so claims of
 * every job have a unique one. (A job's own record uses short names for its claims.)
 */
const CLAIM_ID = /^clm_([0-7][0-9abcdefghjkmnpqrstvwxyz]{25})_([1-9]\d{0,5})$/;

export const CLAIM_ID_PATTERN = CLAIM_ID.source;

export const claimIdOf = (jobId: string, place: number): string => `clm_${jobId.slice('job_'.length)}_${place}`;

/** The position of a claim; null for a text that does not have the form of a claim's identifier. */
export function claimPlaceOf(claimId: string): { jobId: string; place: number } | null {
  const [, job, place] = CLAIM_ID.exec(claimId) ?? [];
  const jobId = `job_${job ?? ''}`;
  return isId('job', jobId) ? { jobId, place: Number(place) } : null;
}
