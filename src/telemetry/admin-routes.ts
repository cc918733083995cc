import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Readiness } from '../api/health';
import type { DrainRoute } from './drain-route';

export interface AdminTools {
  registry: Registry;
  readiness: Readiness;
  logger: Logger;
  /** Null if this process has nothing to drain. */
  drain?: DrainRoute | null;
}

export interface Answer {
  status: number;
  text: string;
  /** By default `text/plain`. */
  type?: string;
}

export interface Route {
  /** A part in angle brackets is a word of up to ten letters. */
  path: string;
  methods: readonly string[];
  /** @param word the value of the part in angle brackets; empty if the path has none */
  answer: (method: string, word: string) => Answer | Promise<Answer>;
}

/** What is served on ADMIN_PORT. */
export function adminRoutes({ registry, readiness, logger, drain }: AdminTools): Route[] {
  const routes: Route[] = [
    {
      path: '/metrics',
      methods: ['GET'],
      answer: async () => ({ status: 200, text: await registry.metrics(), type: registry.contentType }),
    },
    { path: '/health/live', methods: ['GET'], answer: () => ({ status: 200, text: 'ok\n' }) },
    { path: '/health/ready', methods: ['GET'], answer: () => ready(readiness) },
    { path: '/log-level/<level>', methods: ['PUT'], answer: (_, level) => changeLevel(logger, level) },
  ];
  if (drain) routes.push({ path: '/drain', methods: ['GET', 'PUT', 'DELETE'], answer: (method) => changeIntake(drain, method, logger) });
  return routes;
}

async function ready(readiness: Readiness): Promise<Answer> {
  const { isReady, failing } = await readiness.ask();
  if (!isReady) return { status: 503, text: `not ready: ${failing.join(', ')}\n` };
  return { status: 200, text: failing.length === 0 ? 'ok\n' : `ok, since no other process is better: ${failing.join(', ')}\n` };
}

function changeLevel(logger: Logger, level: string): Answer {
  if (!(level in logger.levels.values))
    return { status: 400, text: `"${level}" is no level: use one of ${Object.keys(logger.levels.values).join(', ')}\n` };
  logger.level = level;
  logger.warn({ reason: 'log_level', level }, 'the level of the log was changed');
  return { status: 200, text: `${level}\n` };
}

async function changeIntake(drain: DrainRoute, method: string, logger: Logger): Promise<Answer> {
  const state = await drain.answer(method);
  if (method !== 'GET') logger.warn({ reason: 'drain', ...state }, 'the intake of work was stopped, or begun again');
  return { status: 200, text: `${JSON.stringify(state)}\n`, type: 'application/json' };
}
