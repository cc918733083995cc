import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface Canned {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** A document, the data of the events of a stream, or the body as it is. */
  body: object | object[] | string;
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
      const { status = 200, body, headers = {} } = answers[Math.min(asked.length, answers.length) - 1] ?? { body: {} };
      const isStream = Array.isArray(body);
      response.writeHead(status, { 'content-type': isStream ? 'text/event-stream' : 'application/json', ...headers });
      const whole = typeof body === 'string' ? body : JSON.stringify(body);
      response.end(isStream ? body.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('') : whole);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, bodies };
}
