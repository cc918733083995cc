import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

import type { Caller } from './caller';
import type { Logins } from './logins';

const BEARER = /^Bearer +(\S+)$/i;
/**
 * Identifies the caller. Missing, malformed, unknown and revoked keys get the same response, so that they cannot be told apart.
 * @throws Problem invalid_api_key or rate_limited
 */
export async function authenticate(request: FastifyRequest, logins: Logins): Promise<Caller> {
  const { authorization } = request.headers;
  const login = logins.login(BEARER.exec(authorization ?? '')?.[1], request.ip);
  const holder = login instanceof Promise ? await login : login;
  const correlationId = request.id === request.headers['x-request-id'] ? randomUUID() : request.id;
  return { ...holder, correlationId, traceId: correlationId.replaceAll('-', ''), isWaiting: () => !request.raw.socket.destroyed };
}
