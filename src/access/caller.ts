import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** The caller of a request, and what its events record as their origin. */
export interface Caller {
  tenantId: string;
  keyId: string;
  requestId: string;
  /** The client's W3C trace context; null if it is missing or malformed. */
  traceparent: string | null;
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
