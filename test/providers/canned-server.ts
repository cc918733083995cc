import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Canned {
  status?: number;
  /** A document, or the data of the events of a stream. */
  body: object | object[];
}

export interface CannedServer {
  url: string;
  /** `METHOD path` of each request so far. */
  asked: string[];
  bodies: unknown[];
}

const opened: (() => Promise<unknown>)[] = [];
afterEach(() => Promise.all(opened.splice(0).map((stop) => stop())));

/** Gives these answers in this order, the last of them again and again: for what no emulated provider says. Stops when the test ends. */
export async function cannedServer(answers: readonly Canned[]): Promise<CannedServer> {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      asked.push(`${request.method} ${request.url}`);
      bodies.push(request.method === 'POST' ? await json(request) : null);
      const { status = 200, body } = answers[Math.min(asked.length, answers.length) - 1] ?? { body: {} };
      const isStream = Array.isArray(body);
      response.writeHead(status, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      response.end(isStream ? body.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('') : JSON.stringify(body));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, bodies };
}
