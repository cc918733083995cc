import { isNativeError } from 'node:util/types';

/**
 * Why something failed, for the log. An error with a code is logged by its code, because its message comes from the system or a server and may hold
 * an address or a user's name. An error without a code is our own or a client library's, whose messages hold neither.
 */
export function whyFailed(error: unknown): string {
  if (!isNativeError(error)) return `it threw a ${typeof error}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return `${error.name} ${code}`;
  return error.cause === undefined ? error.message : `${error.message} (${whyFailed(error.cause)})`;
}
