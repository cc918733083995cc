import type { JobMoment } from '@lib/store/history/load';
import { Problem } from '../api/problems';
import type { QueryValues } from '../api/query-values';
import { wholeNumber } from './proof-parameters';

/** Which of a job's moments is meant: after the event of a version, or at a time; now if it is neither. */
export type PastMoment = { version: number } | { asOf: Date } | null;

/** @throws Problem invalid_request */
export function readPastMoment(values: QueryValues): PastMoment {
  const version = values.read('version', 'invalid_version', 'must be a whole number of at least 1', wholeNumber(1, 2 ** 31 - 1));
  const asOf = values.instant('asOf');
  const isBoth = values.isGiven('version') && values.isGiven('asOf');
  values.check(isBoth ? [{ pointer: '/asOf', code: 'not_both', message: 'version and asOf are both given: leave one of them out.' }] : []);
  if (version !== undefined) return { version };
  return asOf === undefined ? null : { asOf };
}

/** @returns the version of the last event that counts @throws Problem event_not_found */
export function versionAt(history: readonly JobMoment[], moment: PastMoment): number {
  if (moment === null) return history.length;
  if ('version' in moment) {
    if (moment.version <= history.length) return moment.version;
    throw new Problem('event_not_found', `The job has ${history.length} events: ask for a version from 1 to ${history.length}.`);
  }
  // A later event never occurred earlier.
  const version = history.findLastIndex(({ at }) => Date.parse(at) <= moment.asOf.getTime()) + 1;
  if (version > 0) return version;
  throw new Problem('event_not_found', `The job was requested at ${history[0]?.at ?? ''}: ask for that time or a later one.`);
}
