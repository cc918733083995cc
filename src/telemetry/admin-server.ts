import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { httpAddress } from '../http-address';
import { adminRoutes, type AdminTools, type Answer, type Route } from './admin-routes';

export interface AdminServer {
  address: string;
  close: () => Promise<void>;
}

interface Tools extends AdminTools {
  host: string;
  port: number;
}

/**
 * For the platform alone, on a port of its own that no client reaches: `GET /metrics`, `GET /health/live`, `GET /health/ready`,
 * `PUT /log-level/<level>`, which holds until the process ends, and for workers `GET`, `PUT` and `DELETE /drain`.
 * @throws Error if nothing can listen there
 */
export async function startAdminServer({ host, port, ...tools }: Tools): Promise<AdminServer> {
  const routes = adminRoutes(tools);
  const server = createServer((request, response) => void answer(routes, tools.logger, request, response));
  server.listen(port, host);
  await once(server, 'listening');
  const { port: bound } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    if (server.listening) await once(server, 'close');
  };
  return { address: httpAddress(host, bound), close };
}

async function answer(routes: readonly Route[], logger: Logger, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, text, type = 'text/plain; charset=utf-8' } = await answerOf(routes, logger, request);
  response.writeHead(status, { 'content-type': type }).end(text);
}

async function answerOf(routes: readonly Route[], logger: Logger, { method = '', url = '' }: IncomingMessage): Promise<Answer> {
  const found = routes.map((route) => ({ route, word: wordIn(route, url) })).find(({ word }) => word !== null);
  if (!found) return { status: 404, text: `there are ${routes.map(({ path }) => path).join(', ')}\n` };
  const { methods, path, answer: answerBy } = found.route;
  if (!methods.includes(method)) return { status: 405, text: `${path} takes ${methods.join(', ')}\n` };
  try {
    return await answerBy(method, found.word ?? '');
  } catch (error) {
    logger.warn({ reason: 'admin_failed', method, path, err: error }, 'a request on ADMIN_PORT failed');
    return { status: 500, text: `${method} ${path} failed: the log says why\n` };
  }
}

/** Null where the route does not have this address. */
function wordIn({ path }: Route, url: string): string | null {
  const match = new RegExp(`^${path.replace(/<\w+>/, '(\\w{1,10})')}$`).exec(url);
  return match && (match[1] ?? '');
}
