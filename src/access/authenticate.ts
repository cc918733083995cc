import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

import type { VerifyKey } from '@lib/store/access/verify-key';
import { Problem } from '../api/problems';
import type { Caller } from './caller';

const BEARER = /^Bearer +(\S+)$/i;
/**
 * Identifies the caller. Missing, malformed, unknown and revoked keys get the same response, so that they cannot be told apart.
 * @throws Problem invalid_api_key
 */
export async function authenticate(request: FastifyRequest, verifyKey: VerifyKey): Promise<Caller> {
  const { authorization } = request.headers;
  const keyText = BEARER.exec(authorization ?? '')?.[1];
  const holder = keyText === undefined ? null : await verifyKey(keyText);
  if (!holder) throw invalidKey();
  const correlationId = request.id === request.headers['x-request-id'] ? randomUUID() : request.id;
  return { ...holder, correlationId, traceId: correlationId.replaceAll('-', ''), isWaiting: () => !request.raw.socket.destroyed };
}

export function invalidKey(): Problem {
  const detail = 'Send a valid API key in the header Authorization: Bearer <API_KEY>.';
  return new Problem('invalid_api_key', detail, [], { 'www-authenticate': 'Bearer realm="research-threads", error="invalid_token"' });
}
