import { isId } from '@lib/domain/ids';
import { cursorFormat } from '../cursor-format';

/** A page ends with the transaction of this id. */
export const TRANSACTION_CURSORS = cursorFormat<string>(
  (id) => id,
  (text) => (isId('txn', text) ? text : undefined),
);
