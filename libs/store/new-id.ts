import { typeidUnboxed } from 'typeid-js';

import type { IdKind } from '@lib/domain/ids';

/** A new identifier that sorts by the time it was made: the kind's prefix and a UUIDv7. */
export function newId(kind: IdKind): string {
  return typeidUnboxed(kind);
}
