import type { Logger } from 'pino';
import type { Logins } from '../access/logins';
import type { RateLimits } from '../access/rate-limits';
import type { RecordRead } from '../audit/record-reads';
import type { Departure } from './departure';
import type { TellAlerted } from './problem.filter';
import type { MeasureRequest, TraceRequests } from './request-log';

/** What the HTTP server of a process is made of. */
export interface HttpOptions {
  logger: Logger;
  /** Path in front of `/v1`: empty, or with a leading and without a trailing slash. */
  basePath: string;
  /** Null if only health is served. */
  logins: Logins | null;
  /** Null where there are none. */
  rateLimits?: RateLimits | null;
  /** Proxies that say from which address a request came. */
  trustedProxies?: readonly string[];
  /** Of the web pages that may call the service. */
  origins: readonly string[];
  /** What is done for a caller names its tenant to the database. */
  namesTenants?: boolean | undefined;
  /** Told of each request before its handler. */
  recordRead?: RecordRead | undefined;
  measure?: MeasureRequest | undefined;
  /** Told why, where a request met something that only a person can mend. */
  alerted?: TellAlerted | undefined;
  departure?: Departure;
  trace?: TraceRequests | undefined;
  /** Builds the application without instantiating its providers, which is enough for the OpenAPI document. */
  preview?: boolean;
}
