import type { FastifyRequest } from 'fastify';

import { claimPlaceOf } from '@lib/domain/claim-id';
import { isId } from '@lib/domain/ids';
import { pointerTo, quoted } from './quoted';
import { invalidRequest, type Violation } from './problems';
import { whyUndecodable } from './undecodable';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Query parameters of the route; none if absent. */
    query?: readonly string[];
    /** The route needs no API key. */
    public?: boolean;
    /** The route reads no body. */
    takesNoBody?: boolean;
  }
}

interface PathId {
  isOne: (text: string) => boolean;
  form: string;
}
const PATH_IDS: Readonly<Record<string, PathId>> = {
  threadId: { isOne: (text) => isId('thr', text), form: 'thr_ and 26 characters' },
  jobId: { isOne: (text) => isId('job', text), form: 'job_ and 26 characters' },
  webhookId: { isOne: (text) => isId('whk', text), form: 'whk_ and 26 characters' },
  deliveryId: { isOne: (text) => isId('evt', text), form: 'evt_ and 26 characters' },
  claimId: { isOne: (text) => claimPlaceOf(text) !== null, form: 'clm_, 26 characters, _ and a number' },
};

/**
 * Refuses malformed identifiers in the path, and unknown query parameters, before anything is read.
 * @throws Problem invalid_request with every violation
 */
export function checkParameters(request: FastifyRequest): void {
  const violations: Violation[] = [];
  const parameters = request.params as Record<string, string>;
  for (const name in parameters) {
    const id = PATH_IDS[name];
    const value = parameters[name] ?? '';
    if (id && !id.isOne(value)) violations.push(malformedId(name, value, id));
  }
  violations.push(...malformedParameters(request.url));
  const known = request.routeOptions.config.query ?? [];
  for (const name in request.query as object) if (!known.includes(name)) violations.push(unknownParameter(name, known));
  if (violations.length > 0) throw invalidRequest(violations);
}

function malformedId(name: string, value: string, { form }: PathId): Violation {
  const message = `${name} ${quoted(value)} is not an identifier: it must be ${form}, as the service returned it.`;
  return { pointer: `/${name}`, code: 'invalid_id', message };
}

/** The router reads what cannot be decoded as other characters, or as it stands. */
function malformedParameters(url: string): Violation[] {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return [];
  const malformed = url
    .slice(start + 1)
    .split('&')
    .filter((part) => !isDecodable(part));
  return malformed.map((part) => {
    const [name = ''] = part.split('=', 1);
    const message = `The query parameter ${quoted(name)} is malformed: ${whyUndecodable(part)}.`;
    return { pointer: pointerTo(name), code: 'malformed', message };
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const LIST = new Intl.ListFormat('en-GB');

function unknownParameter(name: string, known: readonly string[]): Violation {
  const remedy = known.length > 0 ? `this route knows ${LIST.format(known)}` : 'this route knows none';
  return { pointer: pointerTo(name), code: 'unknown_parameter', message: `The query parameter ${quoted(name)} is unknown: ${remedy}.` };
}
