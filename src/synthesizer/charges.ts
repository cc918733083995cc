import type { Charge } from '@lib/domain/money';
import { PROVENANCES } from '@lib/domain/vocabulary';

/** As certain as its least certain part. */
export const sum = (one: Charge, other: Charge): Charge => ({
  micros: one.micros + other.micros,
  provenance: PROVENANCES.findLast((name) => name === one.provenance || name === other.provenance) ?? 'estimated',
});
