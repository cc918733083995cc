import { ApiHeader } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import { timesGiven } from './plain-headers';
import { invalidRequest } from './problems';

const NAME = 'Idempotency-Key';
const MAX_LENGTH = 255;
const PRINTABLE = `^[\\x20-\\x7e]{1,${MAX_LENGTH}}$`;
const KEY = new RegExp(PRINTABLE);
const METHODS = new Set(['POST', 'DELETE']);

/** What a client sends with a request that it may repeat; null without one. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : null;
}

/**
 * Refuses a malformed key before anything is done, because its sender relies on it.
 * @throws Problem invalid_request
 */
export function checkIdempotencyKey(request: FastifyRequest): void {
  const key = idempotencyKeyOf(request);
  if (key === null || !METHODS.has(request.method)) return;
  const count = timesGiven(request.raw.rawHeaders, 'idempotency-key');
  if (count <= 1 && KEY.test(key)) return;
  const message = `${NAME} ${wrongWith(key, count)}: send it once, with 1 to ${MAX_LENGTH} printable characters of ASCII.`;
  throw invalidRequest([{ pointer: `/${NAME}`, code: count > 1 ? 'repeated' : 'invalid_key', message }]);
}

function wrongWith(key: string, count: number): string {
  if (count > 1) return `is given ${count} times`;
  if (key === '') return 'is empty';
  return key.length > MAX_LENGTH ? `has ${key.length} characters` : 'has a character that is not printable ASCII';
}

/** Documents the header of a route that may be repeated safely. */
export const ApiIdempotencyKey = (): MethodDecorator =>
  ApiHeader({
    name: NAME,
    required: false,
    description:
      'Makes it safe to repeat the request: for 24 hours the same key with the same body gives the first answer again and does nothing ' +
      'else. A random UUID serves well. Refused requests are not kept. Without a key, a request that got no answer, or 503, may have been done: ' +
      'sent again, it may be done, and paid, a second time.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_LENGTH, pattern: PRINTABLE },
    example: '0b0d3c2e-5a61-4b5f-9d0f-2f6b0c1f7a52',
  });
