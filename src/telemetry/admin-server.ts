import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { HealthCheck } from '../api/health';
import type { DrainRoute } from './drain-route';

const CHECK_TIMEOUT_MS = 2_000;

export interface AdminServer {
  address: string;
  close: () => Promise<void>;
}

interface Parts {
  host: string;
  port: number;
  registry: Registry;
  health: readonly HealthCheck[];
  logger: Logger;
  /** Null where nothing can be drained. */
  drain?: DrainRoute | null;
}

/**
 * For the platform alone, on a port of its own that no client reaches: `GET /metrics`, `GET /health/live`, `GET /health/ready`,
 * `PUT /log-level/<level>`, which holds until the process ends, and for workers `GET`, `PUT` and `DELETE /drain`.
 * @throws Error if nothing can listen there
 */
export async function startAdminServer(parts: Parts): Promise<AdminServer> {
  const server = createServer((request, response) => void answer(parts, request, response));
  server.listen(parts.port, parts.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, 'close');
  };
  return { address: `http://${parts.host.includes(':') ? `[${parts.host}]` : parts.host}:${port}`, close };
}

async function answer({ registry, health, logger, drain }: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
    response.writeHead(status, { 'content-type': type }).end(text);
  };
  const level = /^\/log-level\/(\w{1,10})$/.exec(request.url ?? '')?.[1];
  try {
    if (request.method === 'PUT' && level !== undefined) {
      if (!(level in logger.levels.values))
        return say(400, `"${level}" is no level: use one of ${Object.keys(logger.levels.values).join(', ')}\n`);
      logger.level = level;
      logger.warn({ reason: 'log_level', level }, 'the level of the log was changed');
      return say(200, `${level}\n`);
    }
    if (request.url === '/drain' && drain && ['GET', 'PUT', 'DELETE'].includes(request.method ?? '')) {
      const state = await drain.answer(request.method ?? '');
      if (request.method !== 'GET') logger.warn({ reason: 'drain', ...state }, 'the intake of work was stopped, or begun again');
      return say(200, `${JSON.stringify(state)}\n`, 'application/json');
    }
    if (request.method !== 'GET') return say(405, 'only GET, and PUT of /log-level/<level>\n');
    if (request.url === '/metrics') return say(200, await registry.metrics(), registry.contentType);
    if (request.url === '/health/live') return say(200, 'ok\n');
    if (request.url === '/health/ready') return await ready(health, say);
    say(404, 'there are /metrics, /health/live, /health/ready and /log-level/<level>\n');
  } catch (error) {
    logger.warn({ reason: 'metrics_failed', err: error }, 'the metrics could not be told');
    say(500, 'the metrics could not be told: the log says why\n');
  }
}

async function ready(health: readonly HealthCheck[], say: (status: number, text: string) => void): Promise<void> {
  const checked = await Promise.all(
    health.map(({ name, check }) =>
      Promise.race([check(), timeout()]).then(
        () => null,
        () => name,
      ),
    ),
  );
  const failed = checked.filter((name) => name !== null);
  say(failed.length === 0 ? 200 : 503, failed.length === 0 ? 'ok\n' : `not ready: ${failed.join(', ')}\n`);
}

const timeout = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('no answer')), CHECK_TIMEOUT_MS).unref());
