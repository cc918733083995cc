import type { ServerResponse } from 'node:http';

import type { FastifyReply } from 'fastify';

/** Shorter than the time after which most proxies close a silent connection. */
const HEARTBEAT_MS = 15_000;
/** When a client reconnects. A random part keeps a process's clients from all reconnecting at once. */
const RETRY_MS = { shortest: 2_000, spread: 3_000 };

/** Headers that make proxies pass on each event at once and unchanged. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'private, no-store, no-transform',
  'x-accel-buffering': 'no',
  // The server may end a stream: a client that reused the connection would race with its closing.
  connection: 'close',
} as const;

/** The next messages to send. */
export interface Messages {
  text: string;
  /** Whether more can be read at once. */
  hasMore: boolean;
  /** Whether nothing follows. */
  isLast: boolean;
}

/** Schedules this stream's looks for more events. */
export interface Turn {
  /** There may be more events: look again when it is our turn. */
  again(): void;
  /** There are no more events: from now on look only when told. */
  rest(): void;
  stop(): void;
}

interface Stream {
  response: ServerResponse;
  watch: Turn;
}

/** Sends events to one client as fast as it reads them, until the last one. Reads from the database only what the client is ready to take. */
export class EventStream {
  private readonly heartbeat: NodeJS.Timeout;
  private isStuck = false;

  constructor(private readonly stream: Stream) {
    const { response, watch } = stream;
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    response.on('drain', () => watch.again());
    response.once('close', () => this.stop());
  }

  /** @param headers in addition to those of every stream */
  begin(headers: Record<string, string>, first: Messages): void {
    const { response, watch } = this.stream;
    // The client may have disconnected before the listener was attached.
    if (response.destroyed) return this.stop();
    response.writeHead(200, { ...headers, ...HEADERS });
    response.write(`retry: ${Math.round(RETRY_MS.shortest + Math.random() * RETRY_MS.spread)}\n\n`);
    this.send(first);
    watch.rest();
  }

  /**
   * Sends the next events, unless the client has not yet read what was sent before.
   * @param read reads the next events; null if nothing can come any more
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

  /** Disconnects a client that read nothing since the last heartbeat: it only holds memory, and can reconnect. */
  private beat(): void {
    const { response } = this.stream;
    if (this.isStuck && response.writableNeedDrain) response.destroy();
    this.isStuck = response.writableNeedDrain;
    if (!this.isStuck) response.write(':\n\n');
  }
}

export const messageOf = (id: string | number, data: object): string => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

/** The headers of every answer that were set on the reply so far. */
export function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]));
}
