import { CorruptHistory } from './corrupt-history';
import { UnknownEvent } from './upcasters';

/**
 * For `catch`: null where a newer build has to decide about a stream, or where its history is corrupt.
 * @throws any other error as it is
 */
export function unlessUnreadable(error: unknown): null {
  if (error instanceof UnknownEvent || error instanceof CorruptHistory) return null;
  throw error;
}
