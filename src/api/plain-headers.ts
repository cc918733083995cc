import type { FastifyRequest } from 'fastify';

import { invalidRequest, Problem } from './problems';

const ONCE = ['authorization', 'host'];
/** Conditions of RFC 9110 13.1 under which a client would have something changed or deleted. */
const CONDITIONS = ['If-Match', 'If-Unmodified-Since'];
const CONDITIONAL = new Set(['PATCH', 'DELETE']);
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

/** How often a header is given. The raw headers are counted, because Node joins several into one text or drops all but the first. */
export function timesGiven(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const given = rawHeaders[place] ?? '';
    if (given.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times;
}

/**
 * Refuses headers that two readers (such as a proxy and this server) could interpret differently, bodies in an encoding that is not supported, and
 * conditions that would not be kept.
 * @throws Problem invalid_request, expectation_failed or unsupported_media_type
 */
export function checkPlainHeaders({ method, raw, headers }: FastifyRequest): void {
  const repeated = ONCE.find((name) => headers[name] !== undefined && timesGiven(raw.rawHeaders, name) > 1);
  if (repeated)
    throw invalidRequest([{ pointer: `/${repeated}`, code: 'repeated', message: `The header ${repeated} is repeated: send it once.` }]);
  if (headers.host === undefined && raw.httpVersion === '1.1')
    throw invalidRequest([{ pointer: '/host', code: 'required', message: 'The header Host is missing: HTTP/1.1 wants it.' }]);
  const condition = CONDITIONAL.has(method) ? CONDITIONS.find((name) => headers[name.toLowerCase()] !== undefined) : undefined;
  if (condition !== undefined) {
    const message = `Conditional ${method} is not supported: leave out the header ${condition}.`;
    throw invalidRequest([{ pointer: `/${condition.toLowerCase()}`, code: 'not_offered', message }]);
  }
  // Node has answered 100-continue before the request came here.
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    throw new Problem('expectation_failed', 'The header Expect asks for something that nobody here does: send 100-continue or none.');
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported_media_type', 'The body has a Content-Encoding: send it as it is, without one.');
  const type = headers['content-type'];
  const charset = type === undefined ? undefined : CHARSET.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw new Problem('unsupported_media_type', 'The charset of the body is not UTF-8: encode the JSON as UTF-8.');
}
