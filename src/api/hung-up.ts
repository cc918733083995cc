import { setImmediate as nextTurn } from 'node:timers/promises';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { Standstill } from '../standstill';

/** In one turn of the event loop the end of a connection is read, in the next ones it is closed. */
const TURNS = 3;

/**
 * Whoever asked while this process stood still may have hung up, and asked another one. Requests are read before the ends of their connections, so what
 * changes something waits until these have been read as well: then it is seen that nobody waits, and nothing is done.
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
