import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export const answers =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, headers).end();

interface Waiter {
  count: number;
  resolve: () => void;
}

/** A receiver of webhooks on this machine, which behaves as the test says. */
export class Sink {
  readonly received: Received[] = [];
  behaviour: Behaviour = answers(204);
  private readonly waiters = new Set<Waiter>();
  private readonly server = createServer((request, response) => void this.serve(request, response));

  static async start(behaviour?: Behaviour): Promise<Sink> {
    const sink = new Sink();
    if (behaviour) sink.behaviour = behaviour;
    sink.server.listen(0, '127.0.0.1');
    await once(sink.server, 'listening');
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Until so many requests have arrived since its start. */
  async has(count: number): Promise<void> {
    if (this.received.length >= count) return;
    await new Promise<void>((resolve) => this.waiters.add({ count, resolve }));
  }

  /**
   * What was told, with the signature verified as Standard Webhooks asks for.
   * @throws WebhookVerificationError
   */
  verified(secret: string): { id: string; type: string; timestamp: string; data: Record<string, string> }[] {
    return this.received.map(({ headers, body }) => {
      const told = new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; timestamp: string };
      return { id: String(headers['webhook-id']), data: {}, ...told };
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    this.received.push({ path: request.url ?? '', headers: request.headers, body });
    for (const waiter of this.waiters) {
      if (waiter.count > this.received.length) continue;
      this.waiters.delete(waiter);
      waiter.resolve();
    }
    this.behaviour(response, request);
  }
}
