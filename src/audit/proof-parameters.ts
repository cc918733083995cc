import { isId } from '@lib/domain/ids';
import { tenantStreamId } from '@lib/domain/tenant';
import type { QueryValues } from '../api/query-values';

/** Larger than any log, and exact as a number. */
const MAX_SIZE = 1e15;

export interface LoggedAt {
  streamId: string;
  version: number;
}

export interface Sizes {
  from: number;
  /** Null for that of the newest checkpoint. */
  to: number | null;
}

export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number | undefined =>
    /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;

/**
 * @param tenantId whose own stream may be named too
 * @throws Problem invalid_request
 */
export function readProofOfInclusion(values: QueryValues, tenantId: string): LoggedAt {
  const own = tenantStreamId(tenantId);
  const remedy = `must be the id of a job or a thread, as the service returned it, or ${own}`;
  const streamId = values.require('streamId', 'invalid_id', remedy, (text) =>
    isId('job', text) || isId('thr', text) || text === own ? text : undefined,
  );
  const version = values.require('version', 'invalid_version', 'must be a whole number of at least 1', wholeNumber(1, 2 ** 31 - 1));
  values.check();
  return { streamId, version };
}

/** @throws Problem invalid_request */
export function readProofOfConsistency(values: QueryValues): Sizes {
  const remedy = 'must be a whole number, the size of a checkpoint';
  const from = values.require('from', 'invalid_size', remedy, wholeNumber(0, MAX_SIZE));
  const to = values.read('to', 'invalid_size', remedy, wholeNumber(0, MAX_SIZE)) ?? null;
  values.check();
  return { from, to };
}
