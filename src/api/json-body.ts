import { isUtf8 } from 'node:buffer';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { isJsonObject } from '@lib/domain/json-object';

import { invalidRequest, Problem } from './problems';

/** Largest request body in bytes. */
export const BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * Accepts application/json bodies only: by default Fastify also reads text, and Nest's adapter reads forms. A request without a body may
 * have any Content-Type.
 */
export function acceptJsonOnly(fastify: FastifyInstance): void {
  // Fastify's strict parser refuses keys that would change a prototype.
  const parse = fastify.getDefaultJsonParser('error', 'error');
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (request, body, done) => {
    if (body.length === 0) return done(null);
    if (!isUtf8(body)) return done(invalidJson('The body is not UTF-8: encode the JSON as UTF-8.'));
    const text = body.toString('utf8');
    void parse(request, text, (error, value) => (error ? done(refusalOf(text)) : done(null, value)));
  });
}

/** Why the strict parser refused a body. If another parser accepts it, it has a forbidden key such as `__proto__`, which no route takes. */
function refusalOf(text: string): Problem {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return invalidJson('The body is not valid JSON: send one JSON object.');
  }
  const isObject = typeof body === 'object' && body !== null;
  const name = ['__proto__', 'constructor'].find((key) => isObject && Object.hasOwn(body as object, key));
  const message = 'The body holds the property "__proto__", or "constructor" with "prototype" in it, which no route knows: leave it out.';
  return invalidRequest([{ pointer: name === undefined ? '' : `/${name}`, code: 'unknown_property', message }]);
}

/** Ignores the Content-Type of a request without a body, since generated clients send one with every DELETE. */
export function forgetTypeOfNothing({ headers }: FastifyRequest): void {
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) delete headers['content-type'];
}

/**
 * Refuses a body with content on a route that takes none, because its sender would expect it to have an effect.
 * @throws Problem invalid_request
 */
export function checkNeedlessBody({ body, routeOptions }: FastifyRequest): void {
  if (!routeOptions.config.takesNoBody || body === undefined || isEmptyObject(body)) return;
  const message = 'The body says something, and this route takes none: send no body, or {}.';
  throw invalidRequest([{ pointer: '', code: 'unexpected_body', message }]);
}

const isEmptyObject = (body: unknown): boolean => isJsonObject(body) && Object.keys(body).length === 0;

function invalidJson(detail: string): Problem {
  return new Problem('invalid_json', detail, [{ pointer: '', code: 'invalid_json', message: detail }]);
}
