import { isNativeError } from 'node:util/types';

/**
 * Why something failed, for the log. An error with a code is logged by the code, since its message comes from a system or server and may hold an
 * address or a user name. An error without a code comes from our code or a client library, whose messages hold neither.
 */
export function whyFailed(error: unknown): string {
  if (!isNativeError(error)) return `it threw a ${typeof error}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return `${error.name} ${code}`;
  return error.cause === undefined ? error.message : `${error.message} (${whyFailed(error.cause)})`;
}
