import type { FastifyRequest } from 'fastify';

import { isId, type IdKind } from '@lib/domain/ids';
import { pointerTo, quoted } from './quoted';
import { invalidRequest, type Violation } from './problems';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Query parameters of the route; none if absent. */
    query?: readonly string[];
    /** The route needs no API key. */
    public?: boolean;
  }
}

const PATH_IDS: Readonly<Record<string, IdKind>> = { threadId: 'thr', jobId: 'job' };

/**
 * Refuses malformed identifiers in the path, and unknown query parameters, before anything is read.
 * @throws Problem invalid_request with every violation
 */
export function checkParameters(request: FastifyRequest): void {
  const known = request.routeOptions.config.query ?? [];
  const violations = [...malformedIds(request.params as Record<string, string>), ...unknownParameters(request.query as object, known)];
  if (violations.length > 0) throw invalidRequest(violations);
}

function malformedIds(parameters: Record<string, string>): Violation[] {
  return Object.entries(parameters).flatMap(([name, value]) => {
    const kind = PATH_IDS[name];
    if (kind === undefined || isId(kind, value)) return [];
    const message = `${name} ${quoted(value)} is not an identifier: it must be ${kind}_ and 26 characters, as the service returned it.`;
    return [{ pointer: `/${name}`, code: 'invalid_id', message }];
  });
}

function unknownParameters(query: object, known: readonly string[]): Violation[] {
  const remedy = known.length > 0 ? `this route knows ${known.join(' and ')}` : 'this route knows none';
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      pointer: pointerTo(name),
      code: 'unknown_parameter',
      message: `The query parameter ${quoted(name)} is unknown: ${remedy}.`,
    }));
}
