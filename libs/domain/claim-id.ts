/**
 * The identifier of a claim wherever it is shown: that of its job and the claim's place in the job's list, from 1. It is derived and not
 * stored, so the claims of every job have one, and none is given twice. (Within a job's own record claims have short names.)
 */
export const CLAIM_ID_PATTERN = '^clm_([0-7][0-9abcdefghjkmnpqrstvwxyz]{25})_([1-9]\\d{0,5})$';

export const claimIdOf = (jobId: string, place: number): string => `clm_${jobId.slice('job_'.length)}_${place}`;
