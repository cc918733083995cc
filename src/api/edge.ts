import { Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { forTenants } from '@lib/batching/named-tenants';
import { authenticate } from '../access/authenticate';
import type { Caller } from '../access/caller';
import { parseAddress } from '../access/client-address';
import { decideScopes, requireScope } from '../access/require-scope';
import { recordAllowedMethods, type AllowedMethods } from './allowed-methods';
import { AnswerRoom } from './answer-room';
import { answerConditionally } from './conditional';
import { BodyRoom } from './body-room';
import { compressLarge } from './compression';
import { allowOrigin, answerPreflight, isPreflight } from './cross-origin';
import { checkIdempotencyKey } from './idempotency-key';
import type { HttpOptions } from './http-options';
import { checkNeedlessBody, forgetTypeOfNothing } from './json-body';
import { linkPages } from './next-page';
import { checkPlainHeaders } from './plain-headers';
import { checkParameters } from './parameters';
import { refusalOf, sendProblem, tellBrokenAnswer } from './problem.filter';
import { Problem } from './problems';
import { logRequest } from './request-log';
import { tellEnds } from './request-end';
import { whyUndecodable } from './undecodable';

type CheckingHook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

type EdgeOptions = Pick<
  HttpOptions,
  | 'logger'
  | 'basePath'
  | 'logins'
  | 'rateLimits'
  | 'trustedProxies'
  | 'origins'
  | 'namesTenants'
  | 'recordRead'
  | 'measure'
  | 'alerted'
  | 'trace'
>;

/**
 * Checks every request before its body is read: its key, its address, the scope of the key, its parameters, and whether there is room for
 * the body, in this order. Writes one line to the log once it is answered.
 */
export function guardRequests(fastify: FastifyInstance, options: EdgeOptions): void {
  const { logger, basePath, logins, origins, namesTenants, recordRead, alerted } = options;
  const allowedMethods = recordAllowedMethods(fastify);
  if (logins) decideScopes(fastify, basePath);
  fastify.decorateRequest('caller', null);
  tellEnds(fastify, options);
  fastify.addHook('onRequest', (request, reply, done) => {
    setHeaders(request, reply);
    if (allowOrigin(request, reply, origins) && isPreflight(request)) void answerPreflight(request, reply, allowedMethods);
    else done();
  });
  const bodies = new BodyRoom();
  fastify.addHook('onRequest', entrance(options, allowedMethods, bodies));
  fastify.addHook('preParsing', bodies.measure);
  fastify.addHook('preHandler', checking(checkNeedlessBody));
  if (namesTenants)
    fastify.addHook('preHandler', ({ caller }, _reply, done) => {
      forTenants(caller ? [caller.tenantId] : undefined, done);
    });
  if (recordRead) fastify.addHook('preHandler', recordRead);
  linkPages(fastify);
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    if (payload instanceof Readable) payload.once('error', (error) => tellBrokenAnswer(logger, alerted, request, error));
    done(null, payload);
  });
  fastify.addHook('onSend', answerConditionally);
  fastify.addHook('onSend', compressLarge);
  fastify.addHook('onSend', new AnswerRoom().admit);
}

/** Finds out who calls, and whether the request may be made: before its body is read. */
function entrance(
  { basePath, logins, rateLimits, trustedProxies, trace }: EdgeOptions,
  allowedMethods: AllowedMethods,
  bodies: BodyRoom,
): CheckingHook {
  const callerOf = (request: FastifyRequest): Caller | Promise<Caller> | null => {
    const open = request.is404 ? !isUnderApi(request.url, basePath) : request.routeOptions.config.public;
    return open || !logins ? null : authenticate(request, logins);
  };
  const admit = (caller: Caller | null, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined => {
    request.caller = caller;
    if (caller && trustedProxies?.length) caller.address = parseAddress(request.ip)?.toString() ?? null;
    trace?.begin(request);
    return caller && rateLimits ? rateLimits.admit(caller, reply) : undefined;
  };
  const check = (request: FastifyRequest, reply: FastifyReply): void => {
    if (request.is404 || hasEmptyParameter(request)) throw nothingHere(request, allowedMethods);
    requireScope(request);
    checkPlainHeaders(request);
    checkParameters(request);
    checkIdempotencyKey(request);
    bodies.take(request, reply);
  };
  return checking((request, reply) => {
    forgetTypeOfNothing(request);
    const caller = callerOf(request);
    const admitted = caller instanceof Promise ? caller.then((known) => admit(known, request, reply)) : admit(caller, request, reply);
    if (admitted) return admitted.then(() => check(request, reply));
    check(request, reply);
    return undefined;
  });
}

/**
 * A hook that refuses a request by throwing. It goes on without a promise unless the check returns one: most keys were verified in the last
 * seconds, and a promise for nothing would cost every request.
 */
function checking(check: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | undefined | void): CheckingHook {
  return (request, reply, done) => {
    let checked: Promise<void> | undefined | void;
    try {
      checked = check(request, reply);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (checked) checked.then(() => done(), done);
    else done();
  };
}

/** Responds to an address that the router cannot decode (`%zz`). Checks the key and its limits here, since no hook runs before. */
export async function refuseAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  { logger, basePath, logins, rateLimits }: EdgeOptions,
): Promise<void> {
  try {
    setHeaders(request, reply);
    if (logins && isUnderApi(request.url, basePath)) {
      const caller = await authenticate(request, logins);
      await rateLimits?.admit(caller, reply);
    }
    throw new Problem('invalid_request', malformedAddress(request.url));
  } catch (error) {
    sendProblem(reply, request, refusalOf(error));
    logRequest(logger, request, reply);
  }
}

function malformedAddress(url: string): string {
  const [path = ''] = url.split('?', 1);
  return `The address is malformed: ${whyUndecodable(path)}.`;
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff').header('cache-control', 'private, no-store');
}

function isUnderApi(url: string, basePath: string): boolean {
  const start = `${basePath}/v1`;
  return url.startsWith(start) && /^([/?]|$)/.test(url.slice(start.length));
}

/** The router matches the empty end of `/v1/threads/` as an identifier. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  for (const name in params as Record<string, string>) if ((params as Record<string, string>)[name] === '') return true;
  return false;
}

function nothingHere({ method, url }: FastifyRequest, allowedMethods: AllowedMethods): Problem {
  const allowed = allowedMethods(url).join(', ');
  if (allowed === '') {
    const [path = ''] = url.split('?', 1);
    const isThereWithoutSlash = path.endsWith('/') && allowedMethods(path.slice(0, -1)).length > 0;
    const remedy = isThereWithoutSlash ? 'leave out the slash at the end' : 'openapi.json names every address';
    return new Problem('not_found', `There is nothing at this address: ${remedy}.`);
  }
  return new Problem('method_not_allowed', `The method ${method} is not allowed here: use ${allowed}.`, [], { allow: allowed });
}
