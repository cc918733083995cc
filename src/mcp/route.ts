import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

import { loadOnce } from '@lib/batching/load-once';
import type { RateLimits } from '../access/rate-limits';
import { invalidRequest, Problem } from '../api/problems';
import { CALLER_ADDRESS } from './caller-address';

/** Most messages in one request. They are carried out at the same time, and each may read as much as a request of its own. */
const MAX_MESSAGES = 20;

interface McpRoute {
  logger: Logger;
  basePath: string;
  /** Of the web pages that may call the service. */
  origins: readonly string[];
  /** Null where there are none. */
  rateLimits?: RateLimits | null;
}

/** Serves MCP over HTTP behind the same key check as every other route. Its code is loaded by the first request. */
export function serveMcp(fastify: FastifyInstance, { logger, basePath, origins, rateLimits }: McpRoute): void {
  const stopping = new AbortController();
  fastify.addHook('preClose', async () => stopping.abort());
  const handler = loadOnce(async () => {
    const { createMcpHandlerOf } = await import('./handler.ts');
    return createMcpHandlerOf({ fastify, basePath, logger, stopping: stopping.signal });
  });
  fastify.post(`${basePath}/mcp`, async (request, reply) => {
    checkOrigin(request, origins);
    await admitBatch(request, reply, rateLimits);
    const answer = await (await handler())(webRequest(request, reply), request.body);
    // The SDK says keep-alive, whatever the client said; whether the connection is kept is the server's own affair.
    answer.headers.delete('connection');
    return answer;
  });
}

/**
 * A page whose name was pointed at this address (DNS rebinding) says where it comes from; programs say nothing.
 * @throws Problem origin_not_allowed
 */
function checkOrigin({ headers: { origin } }: FastifyRequest, origins: readonly string[]): void {
  if (origin === undefined || origins.includes(origin)) return;
  throw new Problem('origin_not_allowed', 'Pages of this Origin may not call the service: add it to CORS_ORIGINS, or send none.');
}

/**
 * Of several messages in one request, each counts as one, also where nothing else limits them.
 * @throws Problem invalid_request, rate_limited
 */
async function admitBatch({ body, caller }: FastifyRequest, reply: FastifyReply, rateLimits: RateLimits | null = null): Promise<void> {
  if (!Array.isArray(body)) return;
  if (body.length > MAX_MESSAGES) {
    const message = `The batch holds ${body.length} messages: send at most ${MAX_MESSAGES} at a time.`;
    throw invalidRequest([{ pointer: '', code: 'too_many', message }]);
  }
  if (!caller || !rateLimits) return;
  const more = body.length - 1;
  try {
    for (let message = 0; message < more; message += 1) await rateLimits.admit(caller, reply);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // A batch that is larger than the bucket would be refused whenever it is repeated.
    const detail = `${error.detail} Each message of a batch counts as a request: send fewer of them at a time.`;
    throw new Problem(error.code, detail, error.violations, error.headers);
  }
}

/** Its body has been read already. */
function webRequest({ headers, url, method, ip }: FastifyRequest, { raw }: FastifyReply): Request {
  const hangUp = new AbortController();
  const ended = () => {
    if (!raw.writableFinished) hangUp.abort();
  };
  // It may have hung up while its batch was admitted or the code was loaded.
  if (raw.destroyed) ended();
  else raw.once('close', ended);
  const single = Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : []));
  return new Request(new URL(url, 'http://service'), {
    method,
    headers: { ...Object.fromEntries(single), [CALLER_ADDRESS]: ip },
    signal: hangUp.signal,
  });
}
