import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** On whose behalf a request acts, and what its events record as their origin. */
export interface Caller {
  tenantId: string;
  keyId: string;
  requestId: string;
  /** W3C trace context as the client sent it; null if there is none or it is malformed. */
  traceparent: string | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication; null on the routes that need no key. */
    caller: Caller | null;
  }
}

/** The authenticated caller, as a handler's argument. Authentication comes before every handler under `/v1`. */
export const AuthenticatedCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('a handler that needs a caller stands on a route without authentication');
  return caller;
});
