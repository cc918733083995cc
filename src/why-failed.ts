import { isNativeError } from 'node:util/types';

/**
 * Why something failed, for the log. An error with a code is told by the code, since its message is that of a system or a server and may hold an address or
 * the name of a user. One without a code is ours or that of a client, whose messages hold neither.
 */
export function whyFailed(error: unknown): string {
  if (!isNativeError(error)) return `it threw a ${typeof error}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return `${error.name} ${code}`;
  return error.cause === undefined ? error.message : `${error.message} (${whyFailed(error.cause)})`;
}
