import type { ServerResponse } from 'node:http';

import type { EventPage } from '@lib/store/views/event-pages';
import type { EventView } from '@lib/store/views/event.view';
import type { Watch } from './job-changes';

/** Less than the time after which usual proxies close a connection on which nothing is sent. */
const HEARTBEAT_MS = 15_000;
/** When a client comes back: not all of a process at the same moment. */
const RETRY_MS = { shortest: 2_000, spread: 3_000 };

/** A proxy hands on each event as it comes, and changes nothing. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'private, no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

interface Stream {
  response: ServerResponse;
  watch: Watch;
  /** What came after the last event that was sent; null if the job is gone. */
  read: (after: number) => Promise<EventPage | null>;
}

/** Sends a job's events to one client, as fast as it takes them, until the final one was sent. What it does not take is not read either. */
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
  begin(headers: Record<string, string>, first: EventPage): void {
    const { response, watch } = this.stream;
    // Whoever has hung up meanwhile did so before anybody listened for it.
    if (response.destroyed) return this.stop();
    response.writeHead(200, { ...headers, ...HEADERS });
    response.write(`retry: ${Math.round(RETRY_MS.shortest + Math.random() * RETRY_MS.spread)}\n\n`);
    this.send(first);
    watch.rest();
  }

  /** Sends what has come since, unless the client has not yet taken what was sent before. */
  async look(): Promise<void> {
    const { response, watch, read } = this.stream;
    if (response.writableNeedDrain) return;
    const page = await read(watch.version);
    if (page) this.send(page);
    else this.end();
  }

  end(): void {
    this.stop();
    this.stream.response.end();
  }

  private send({ events, version, isFinal }: EventPage): void {
    const { response, watch } = this.stream;
    if (response.destroyed || response.writableEnded) return;
    if (events.length > 0) response.write(events.map(messageOf).join(''));
    watch.version = events.at(-1)?.version ?? watch.version;
    if (watch.version < version) watch.again();
    else if (isFinal) this.end();
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

const messageOf = (event: EventView): string => `id: ${event.version}\ndata: ${JSON.stringify(event)}\n\n`;
