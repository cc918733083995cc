import { setImmediate as nextTurn } from 'node:timers/promises';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Standstill } from '../runtime/standstill';

/** One turn of the event loop reads the end of a connection, the next ones close it. */
const TURNS = 3;

/**
 * A client that sent a request while this process stood still may have hung up and asked another process. Requests are read before the ends of their
 * connections. So a request that changes something waits until these ends have been read too: if its client has gone, nothing is done.
 */
export function noticeHangUps(fastify: FastifyInstance): void {
  const standstill = new Standstill();
  standstill.start();
  fastify.addHook('onClose', async () => standstill.stop());
  fastify.addHook('preHandler', (request, _reply, done) => {
    if (!changesSomething(request) || standstill.unreadMs() === 0) return done();
    void untilRead().then(() => done());
  });
}

const changesSomething = ({ method }: FastifyRequest): boolean => method !== 'GET' && method !== 'HEAD';

async function untilRead(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}
