import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { HttpOptions } from './http-options';
import { logRequest } from './request-log';

/** Of a request whose client hung up before it was answered, as other servers log it; nobody receives it. */
const CLIENT_GONE = 499;

/** Logs, measures and traces each request once: when it has its answer, or when its client hung up before, since Fastify is silent about those. */
export function tellEnds(fastify: FastifyInstance, { logger, measure, trace }: Pick<HttpOptions, 'logger' | 'measure' | 'trace'>): void {
  const told = new WeakSet<FastifyRequest>();
  const tell = (request: FastifyRequest, reply: FastifyReply): void => {
    if (told.has(request)) return;
    told.add(request);
    logRequest(logger, request, reply);
    measure?.(request, reply);
    trace?.end(request, reply);
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    const { raw } = reply;
    raw.once('close', () => {
      if (raw.writableFinished) return;
      if (!raw.headersSent) reply.code(CLIENT_GONE);
      tell(request, reply);
    });
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    tell(request, reply);
    done();
  });
}
