import type { ServerResponse } from 'node:http';

import type { FastifyReply } from 'fastify';

/** Less than the time after which usual proxies close a connection on which nothing is sent. */
const HEARTBEAT_MS = 15_000;
/** When a client comes back: not all of a process at the same moment. */
const RETRY_MS = { shortest: 2_000, spread: 3_000 };

/** A proxy hands on each event as it comes, and changes nothing. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'private, no-store, no-transform',
  'x-accel-buffering': 'no',
  // The server may end a stream, and a client that used its connection again would race with the closing of it.
  connection: 'close',
} as const;

/** What is sent next. */
export interface Messages {
  text: string;
  /** There is more to read at once. */
  hasMore: boolean;
  /** Nothing follows. */
  isLast: boolean;
}

/** Whose turn it is to look for more. */
export interface Turn {
  /** There may be more: look when it is our turn. */
  again(): void;
  /** From now on look only when told. */
  rest(): void;
  stop(): void;
}

interface Stream {
  response: ServerResponse;
  watch: Turn;
}

/** Sends events to one client, as fast as it takes them, until the last one was sent. What it does not take is not read either. */
export class EventStream {
  private readonly heartbeat: NodeJS.Timeout;
  private isStuck = false;

  constructor(private readonly stream: Stream) {
    const { response, watch } = stream;
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    response.on('drain', () => watch.again());
    response.once('close', () => this.stop());
  }

  /** @param headers beside those of every stream */
  begin(headers: Record<string, string>, first: Messages): void {
    const { response, watch } = this.stream;
    // Whoever has hung up meanwhile did so before anybody listened for it.
    if (response.destroyed) return this.stop();
    response.writeHead(200, { ...headers, ...HEADERS });
    response.write(`retry: ${Math.round(RETRY_MS.shortest + Math.random() * RETRY_MS.spread)}\n\n`);
    this.send(first);
    watch.rest();
  }

  /**
   * Sends what has come since, unless the client has not yet taken what was sent before.
   * @param read what came after what was read before; null if nothing can come any more
   */
  async look(read: () => Promise<Messages | null>): Promise<void> {
    if (this.stream.response.writableNeedDrain) return;
    const messages = await read();
    if (messages) this.send(messages);
    else this.end();
  }

  /** @param text sent before */
  end(text = ''): void {
    this.stop();
    this.stream.response.end(text);
  }

  private send({ text, hasMore, isLast }: Messages): void {
    const { response, watch } = this.stream;
    if (response.destroyed || response.writableEnded) return;
    if (isLast && !hasMore) return this.end(text);
    if (text !== '') response.write(text);
    if (hasMore) watch.again();
  }

  private stop(): void {
    clearInterval(this.heartbeat);
    this.stream.watch.stop();
  }

  /** Who has taken nothing from one heartbeat to the next holds memory for nothing, and may come back. */
  private beat(): void {
    const { response } = this.stream;
    if (this.isStuck && response.writableNeedDrain) response.destroy();
    this.isStuck = response.writableNeedDrain;
    if (!this.isStuck) response.write(':\n\n');
  }
}

export const messageOf = (id: string | number, data: object): string => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** Those that every answer has, and that have been set by now. */
export function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}
