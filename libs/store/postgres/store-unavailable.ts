import { isNativeError } from 'node:util/types';
import { isTlsCode } from '@lib/domain/tls-codes';
import { DEADLOCK, SERIALIZATION_FAILURE, sqlStateOf, STATEMENT_TIMEOUT } from './sql-states';

/** The database cannot be reached, refuses connections or takes too long: nothing is wrong with the request, and it may be repeated. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';

  constructor(cause: unknown, message = 'The database cannot do this now.') {
    super(message, { cause });
  }
}

/** More requests wait for the database than can be answered in time. */
export class StoreBusy extends StoreUnavailable {
  constructor() {
    super(new Error('too many requests wait for the database'));
  }
}

/** Somebody else held a needed row for as long as an answer may take. The database itself works. */
export class RowLocked extends StoreUnavailable {
  constructor() {
    super(new Error('a row that is written is locked by somebody else'));
  }
}

/** Its time was over before it was done, so it was not done. Other requests may still succeed. */
export class AnswerTooLate extends StoreUnavailable {
  constructor(cause: unknown = new Error('its turn came after its answer was due')) {
    super(cause);
  }
}

/** The database does not answer anybody: all other requests would fail now as well. */
export const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailable && ![RowLocked, StoreBusy, AnswerTooLate].some((kind) => error instanceof kind);

/** The server has ended the statement, since it took longer than allowed: it may be too large. */
export const tookTooLong = (error: unknown): boolean =>
  error instanceof StoreUnavailable && isNativeError(error.cause) && sqlStateOf(error.cause) === STATEMENT_TIMEOUT;

/**
 * The server undid the work for the sake of other work, such as a read on a standby that hindered its replay. Whoever writes repeats it by itself, and so
 * has to see the code: this is no `StoreUnavailable`.
 */
export const wasUndone = (error: unknown): boolean => [SERIALIZATION_FAILURE, DEADLOCK].some((state) => state === sqlStateOf(error));

/**
 * The server answers but cannot do the work: SQLSTATE 25006 (read-only, like a former primary after a failover), 25P03 (idle too long in a
 * transaction), 25P04 (transaction took too long), 28xxx and 3D000 (access refused), 53xxx (no disk space, memory or connections left), 57014 (took
 * too long), 58030 (a file could not be written).
 */
const INCAPABLE_STATES = /^(25006|25P0[34]|28...|3D000|53...|57014|58030)$/;
/** SQLSTATE 08xxx (connection), 57P01 to 57P05 (shutting down, crashed, starting up, dropped, idle for too long). */
const UNREACHABLE_STATES = /^(08...|57P0[1-5])$/;
const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  // This process or its machine has no file left, and so no connection.
  'EMFILE',
  'ENFILE',
]);
/** SQLSTATE XX000 and 58000: poolers say so that they have no connection or cannot reach the server. From PostgreSQL they mean a fault of its own. */
const POOLER_STATES = /^(XX000|58000)$/;
/** Failures of the `pg` client that carry no code. */
const UNREACHABLE_MESSAGES =
  /SSL connection|Connection terminated|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;
const TOO_LATE_MESSAGES = /Query read timeout/;

/** The error as `StoreUnavailable` where it means an outage; any other error comes back unchanged. */
export function asStoreError(error: unknown): unknown {
  // Not instanceof: under jest, the errors of Node's own modules come from another realm.
  if (error instanceof StoreUnavailable) return error;
  for (let cause: unknown = error; isNativeError(cause); cause = cause.cause ?? firstOf(cause)) {
    const code = 'code' in cause ? String(cause.code) : '';
    const isUnreachable = UNREACHABLE_CODES.has(code) || UNREACHABLE_STATES.test(code) || UNREACHABLE_MESSAGES.test(cause.message);
    if (isUnreachable || isTlsCode(code) || isUnconnected(cause) || isPoolers(cause, code))
      return new StoreUnavailable(error, 'The database cannot be reached.');
    if (INCAPABLE_STATES.test(code) || TOO_LATE_MESSAGES.test(cause.message)) return new StoreUnavailable(error);
  }
  return error;
}

/** Such as ENOENT where the socket file of the server is not there, which from any other file says nothing about the database. */
const isUnconnected = (cause: Error): boolean => 'syscall' in cause && cause.syscall === 'connect';

/** PostgreSQL names in every error the routine that raised it; a pooler has none to name. */
const isPoolers = (cause: Error, code: string): boolean =>
  POOLER_STATES.test(code) && 'severity' in cause && !('routine' in cause && cause.routine !== undefined);

/** The result of the work. @throws its errors, converted by `asStoreError` */
export async function withStoreErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Node tries every address of a host and reports the failures as one. */
function firstOf(error: Error): unknown {
  return 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined;
}
