import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { serveMcp } from '../mcp/route';
import { answerBrokenRequest } from './broken-request';
import { asUnchanging } from './compression';
import type { Departure } from './departure';
import { serveDocsPage } from './docs-page';
import { documentOf } from './document';
import { guardRequests, refuseAddress } from './edge';
import { acceptJsonOnly, BODY_LIMIT_BYTES } from './json-body';
import type { HttpOptions } from './http-options';
import { noticeHangUps } from './hung-up';
import { NestLogger } from './logging';
import { HEALTH_PATHS } from './health.controller';
import { ProblemFilter } from './problem.filter';

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle timeout of usual load balancers, so that they close idle connections and not we. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Node's own limit for all headers, so that identifiers of any length reach their check. */
const MAX_PARAMETER_LENGTH = 16 * 1024;
const DOCUMENTS = [
  { path: '/openapi.json', version: '3.0.3' },
  { path: '/openapi-3.1.json', version: '3.1.0' },
] as const;
const SAFE_REQUEST_ID = /^[A-Za-z0-9._~-]{1,64}$/;

/** Creates the HTTP server around a module of controllers. The caller starts and closes it. */
export async function createHttpApplication(module: Type | DynamicModule, options: HttpOptions): Promise<NestFastifyApplication> {
  const adapter = createHttpAdapter(options);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    preview: options.preview ?? false,
    logger: options.preview ? false : new NestLogger(options.logger),
  });
  if (options.basePath) app.setGlobalPrefix(options.basePath, { exclude: [...HEALTH_PATHS] });
  app.useGlobalFilters(new ProblemFilter(options.logger, options.alerted));
  if (options.logins) {
    // Below the base path too, since a proxy may pass on nothing else.
    const places = [...new Set(['', options.basePath])];
    serveDocument(app, options.basePath, places);
    serveDocsPage(app.getHttpAdapter().getInstance(), places);
    serveMcp(app.getHttpAdapter().getInstance(), options);
  }
  return app;
}

/**
 * Serves the contract without a key; created at the first request. Always as the same bytes, compressed once, however often
 * somebody asks.
 */
function serveDocument(app: NestFastifyApplication, basePath: string, places: readonly string[]): void {
  const fastify = app.getHttpAdapter().getInstance();
  for (const { path, version } of DOCUMENTS) {
    let document: Buffer | undefined;
    for (const place of places)
      fastify.get(place + path, { config: { public: true } }, async (_, reply) => {
        document ??= asUnchanging(Buffer.from(JSON.stringify(documentOf(app, basePath, version))));
        return reply.type('application/json; charset=utf-8').send(document);
      });
  }
}

function createHttpAdapter(options: HttpOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    skipMiddie: true,
    logger: false,
    genReqId: requestIdOf,
    ...(options.trustedProxies?.length && { trustProxy: [...options.trustedProxies] }),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // A request without Host is refused by us, with a body that says so.
    http: { headersTimeout: HEADERS_TIMEOUT_MS, requireHostHeader: false },
    // Requests on open connections are still answered while the server drains.
    return503OnClosing: false,
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) => void refuseAddress(request, reply, options),
    clientErrorHandler: answerBrokenRequest,
  });
  const fastify: FastifyInstance = adapter.getInstance();
  endConnectionsAtClose(fastify, options.departure);
  // Node would refuse an expectation without a body.
  fastify.server.on('checkExpectation', (request, response) => void fastify.server.emit('request', request, response));
  acceptJsonOnly(fastify);
  guardRequests(fastify, options);
  if (options.logins) noticeHangUps(fastify);
  return adapter;
}

/** A kept-alive connection would keep a closing server running for as long as its client likes. */
function endConnectionsAtClose(fastify: FastifyInstance, departure: Departure | undefined): void {
  // Also for requests that came before the close: Node would keep their connections and close them just when the client sends its next request.
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (departure?.isLeaving) reply.header('connection', 'close');
    done();
  });
  fastify.addHook('preClose', async () => {
    // The next answer on each connection says that it is the last one, so the client sends no further request on it.
    Object.assign(fastify.server, { maxRequestsPerSocket: 1, keepAliveTimeout: 1 });
  });
}

/** The client's request id if it is safe to log and to return, otherwise a new one. */
function requestIdOf({ headers }: { headers: IncomingMessage['headers'] }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
}
