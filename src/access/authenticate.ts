import type { FastifyRequest } from 'fastify';

import type { VerifyKey } from '@lib/store/access/verify-key';
import { Problem } from '../api/problems';
import type { Caller } from './caller';

const BEARER = /^Bearer +(\S+)$/i;
/** Version 00 of the W3C trace context; ids of zeros only are invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Identifies the caller. Missing, malformed, unknown and revoked keys get the same response, so that they cannot be told apart.
 * @throws Problem invalid_api_key
 */
export async function authenticate(request: FastifyRequest, verifyKey: VerifyKey): Promise<Caller> {
  const { authorization, traceparent } = request.headers;
  const keyText = BEARER.exec(authorization ?? '')?.[1];
  const holder = keyText === undefined ? null : await verifyKey(keyText);
  if (!holder) throw invalidKey();
  const trace = typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? traceparent : null;
  return { ...holder, requestId: request.id, traceparent: trace, isWaiting: () => !request.raw.socket.destroyed };
}

export function invalidKey(): Problem {
  const detail = 'Send a valid API key in the header Authorization: Bearer <API_KEY>.';
  return new Problem('invalid_api_key', detail, [], { 'www-authenticate': 'Bearer realm="research-threads", error="invalid_token"' });
}
