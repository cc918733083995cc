import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

import type { VerifiedKey } from '@lib/store/access/verify-key';
import type { Caller } from './caller';
import type { Logins } from './logins';

const BEARER = /^Bearer\b/i;
const KEY = /^Bearer +(\S+)$/i;

/**
 * Identifies the caller: at once if its key was verified in the last seconds. Malformed, unknown and revoked keys get the same response, so
 * that they cannot be told apart.
 * @throws Problem invalid_api_key or rate_limited
 */
export function authenticate(request: FastifyRequest, logins: Logins): Caller | Promise<Caller> {
  const { authorization = '' } = request.headers;
  const keyText = KEY.exec(authorization)?.[1] ?? (BEARER.test(authorization) ? null : undefined);
  const login = logins.login(keyText, request.ip);
  return login instanceof Promise ? login.then((holder) => callerOf(request, holder)) : callerOf(request, login);
}

function callerOf(request: FastifyRequest, holder: VerifiedKey): Caller {
  const correlationId = request.id === request.headers['x-request-id'] ? randomUUID() : request.id;
  const traceId = correlationId.replaceAll('-', '');
  return { ...holder, correlationId, traceId, isWaiting: () => !request.raw.socket.destroyed };
}
