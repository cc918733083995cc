/** The error codes of PostgreSQL (SQLSTATE) that are handled in a way of their own. */
export const UNIQUE_VIOLATION = '23505';
export const READ_ONLY = '25006';
export const SERIALIZATION_FAILURE = '40001';
export const DEADLOCK = '40P01';
export const INSUFFICIENT_PRIVILEGE = '42501';
export const DISK_FULL = '53100';
export const LOCK_NOT_AVAILABLE = '55P03';
/** The server has ended the statement, since it took longer than allowed. */
export const STATEMENT_TIMEOUT = '57014';

/** The code of an error. Other errors with a code, such as failures of the connection, have none of these. */
export const sqlStateOf = (error: unknown): unknown => (error as { code?: unknown } | null | undefined)?.code;
