import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

import { CALLER_ADDRESS } from './caller-address';
import { framesOf } from '../runtime/stack-frames';
import { createMcpServer } from './server';
import { addressOf, headersOf, NOT_MODIFIED, toldByHeaders, type SendRequest } from './service-client';

export type McpHandler = (request: Request, body: unknown) => Promise<Response>;

interface McpParts {
  fastify: FastifyInstance;
  basePath: string;
  logger: Logger;
  stopping: AbortSignal;
}

/** Headers of the caller that go with every request that a tool makes for it. */
const PASSED_ON = ['authorization', 'x-request-id', 'traceparent'];

/** Each request is answered by itself, so that any process of the api can answer the next one. */
export function createMcpHandlerOf({ fastify, basePath, logger, stopping }: McpParts): McpHandler {
  const onFailure = (error: unknown): void => {
    const errorName = error instanceof Error ? error.name : typeof error;
    logger.error({ reason: 'mcp_failed', errorName, stack: framesOf(error)?.join('\n') }, 'a tool failed');
  };
  const handler = createMcpHandler(({ requestInfo }) =>
    createMcpServer({ send: sendWithin(fastify, basePath, requestInfo?.headers), stopping, onFailure }),
  );
  stopping.addEventListener('abort', () => void handler.close().catch(onFailure), { once: true });
  return (request, body) => handler.fetch(request, { parsedBody: body });
}

/** Sends a tool's request through all checks of the HTTP API as the tool's caller, so the tool can see and do only what the caller's key can. */
function sendWithin(fastify: FastifyInstance, basePath: string, caller: Headers | undefined): SendRequest {
  const passedOn = PASSED_ON.flatMap((name) => {
    const value = caller?.get(name);
    return value ? [[name, value] as const] : [];
  });
  const address = caller?.get(CALLER_ADDRESS);
  return async (request) => {
    const options = {
      method: request.method,
      url: basePath + addressOf(request),
      headers: { ...headersOf(request), ...Object.fromEntries(passedOn) },
      ...(address && { remoteAddress: address }),
      ...(request.body && { payload: JSON.stringify(request.body) }),
    };
    // A closing server still answers requests from its connections, but not those that it injects itself.
    const answer = await fastify.inject(options).catch(() => null);
    if (!answer) return STOPPING;
    const body = answer.statusCode === NOT_MODIFIED ? null : answer.json<unknown>();
    return { status: answer.statusCode, body, ...toldByHeaders((name) => answer.headers[name]?.toString()) };
  };
}

const STOPPING = { status: 503, body: { code: 'unavailable', detail: 'This process of the service is stopping: call the tool again.' } };
