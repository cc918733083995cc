import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '@lib/domain/scopes';
import type { Limits } from '@lib/domain/limits';
import type { TraceContext } from '@lib/domain/trace-context';
import type { LimitsOfKey } from '@lib/store/limits/limit-reads';
import type { Unit } from '@lib/store/commit/unit';

/** The caller of a request, and what its events record as their origin. */
export interface Caller {
  tenantId: string;
  keyId: string;
  scopes: readonly Scope[];
  /** In the key's row; null if it has none of its own. */
  keyLimits: Limits | null;
  /** Our own id of the request. Events never record the client's id or trace context, which may hold anything. */
  correlationId: string;
  /** The same as a W3C trace id; one digit may say whether the trace is exported. */
  traceId: string;
  /** The request's span; absent where nothing is traced. */
  trace?: TraceContext;
  /** What the tenant and the key may use; undefined where nobody has asked. */
  allowed?: LimitsOfKey;
  /** Of the jobs of the tenant and the key; undefined where there are none. */
  limits?: Unit['limits'];
  /** Address of the client. Only set if the deployment names the proxies that it trusts: otherwise the address may be a proxy's. */
  address?: string | null;
  /** Whether the client still waits for its answer: one that hung up does not. */
  isWaiting: () => boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication; null on the routes that need no key. */
    caller: Caller | null;
  }
}

/** The authenticated caller, as an argument of a handler. Every request under `/v1` is authenticated before its handler. */
export const AuthenticatedCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('a handler that needs a caller stands on a route without authentication');
  return caller;
});
