import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createParser } from 'eventsource-parser';

/** What came of all requests. */
export class Books {
  requests = 0;
  /** Event streams that a server ended before their job was final, and that were gone on with. */
  resumed = 0;
  readonly failed: string[] = [];

  fail(what: string): Error {
    this.failed.push(`${new Date().toISOString()} ${what}`);
    return new Error(what);
  }
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

interface Asked {
  body?: object;
  headers?: Record<string, string>;
}

/**
 * A correct client of HTTP/1.1 that repeats nothing. It keeps its connection, and opens the next one if the server has closed it between two
 * requests. A request that was sent and not answered whole, or answered with an error, has failed.
 */
export class SingleTryClient {
  private readonly agent: Agent;

  /** @param keepsConnection otherwise each request has a connection of its own */
  constructor(
    private readonly port: number,
    private readonly apiKey: string,
    private readonly books: Books,
    keepsConnection = true,
  ) {
    this.agent = new Agent({ keepAlive: keepsConnection, maxSockets: 1 });
  }

  async call(method: string, path: string, wanted: number, { body, headers = {} }: Asked = {}): Promise<Answer> {
    const what = `${method} ${path}`;
    const sent = this.send(method, path, { ...headers, ...(body && { 'content-type': 'application/json' }) });
    sent.end(body && JSON.stringify(body));
    const response = await this.answerTo(sent, what);
    const said = await text(response).catch((error: Error) => {
      throw this.books.fail(`${what} was answered in part: ${error.message}`);
    });
    const { statusCode: status = 0 } = response;
    if (status !== wanted) throw this.books.fail(`${what} was answered with ${status}: ${said}`);
    return { status, body: JSON.parse(said) as Answer['body'] };
  }

  /**
   * Follows an event stream until it ends.
   * @returns what the server said of when to come back; null if nothing more is to come
   */
  async follow(path: string, lastEventId: number, take: (id: number) => void): Promise<{ retryMs: number } | null> {
    const what = `GET ${path} after ${lastEventId}`;
    const sent = this.send('GET', path, { accept: 'text/event-stream', 'last-event-id': String(lastEventId) });
    sent.end();
    const response = await this.answerTo(sent, what);
    if (response.statusCode === 204) {
      response.resume();
      return null;
    }
    if (response.statusCode !== 200) throw this.books.fail(`${what} was answered with ${response.statusCode}: ${await text(response)}`);
    let retryMs = 0;
    const parser = createParser({ onEvent: ({ id }) => take(Number(id)), onRetry: (milliseconds) => void (retryMs = milliseconds) });
    try {
      for await (const chunk of response) parser.feed(String(chunk));
    } catch (error) {
      throw this.books.fail(`${what} broke off: ${(error as Error).message}`);
    }
    return { retryMs };
  }

  close(): void {
    this.agent.destroy();
  }

  private send(method: string, path: string, headers: Record<string, string>): ClientRequest {
    this.books.requests += 1;
    const { port, agent } = this;
    return request({ host: '127.0.0.1', port, agent, method, path, headers: { authorization: `Bearer ${this.apiKey}`, ...headers } });
  }

  private answerTo(sent: ClientRequest, what: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      sent.on('response', resolve);
      sent.on('error', (error) => reject(this.books.fail(`${what} was not answered: ${error.message}`)));
    });
  }
}
