import { isId } from '@lib/domain/ids';

/** After the transaction of this id. For clients it means nothing. */
export const textOfTransactionCursor = (id: string): string => Buffer.from(id).toString('base64url');

/** @returns undefined for a text that no page gave out */
export function transactionCursorOf(text: string): string | undefined {
  const id = Buffer.from(text, 'base64url').toString('latin1');
  return isId('txn', id) && textOfTransactionCursor(id) === text ? id : undefined;
}
