import { fromUUID, typeidUnboxed } from 'typeid-js';

import type { IdKind } from '@lib/domain/ids';

/** A new identifier that sorts by the time it was made: the kind's prefix and a UUIDv7. */
export function newId(kind: IdKind): string {
  return typeidUnboxed(kind);
}

/** Sorts before every identifier of the kind that was made at this time or later. */
export function firstIdSince(kind: IdKind, time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return fromUUID(`${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`, kind);
}
