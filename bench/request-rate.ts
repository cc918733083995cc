import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RateRequest {
  /** `http://host:port` */
  address: string;
  inFlight: number;
  seconds: number;
  /** The next request as it goes over the wire. */
  next: () => string;
  /** Any other status ends the measurement. */
  status: number;
}

/** An HTTP/1.1 request over a connection that stays open. */
export function requestText(method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}, body = ''): string {
  const lines = Object.entries({ host: 'bench', ...headers, ...(body && { 'content-length': String(Buffer.byteLength(body)) }) });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/**
 * Answers per second at `inFlight` connections with one request on each. Over plain sockets, because a whole HTTP client costs as
 * much as the server and would be what is measured.
 */
export async function requestRate({ address, inFlight, seconds, next, status }: RateRequest): Promise<number> {
  const { hostname, port } = new URL(address);
  const sockets = Array.from({ length: inFlight }, () => connect({ host: hostname, port: Number(port), noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  try {
    const answers = await Promise.all(sockets.map((socket) => ask(socket, next, status, endsAt)));
    return (answers.reduce((sum, count) => sum + count, 0) * 1000) / (performance.now() - startedAt);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

/** Sends one request after the other and counts their answers. */
function ask(socket: Socket, next: () => string, status: number, endsAt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let answers = 0;
    const answer = new Answer(status);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server closed a connection')));
    socket.on('data', (chunk) => {
      try {
        if (!answer.take(chunk)) return;
      } catch (error) {
        return reject(error);
      }
      answers += 1;
      if (performance.now() >= endsAt) resolve(answers);
      else socket.write(next());
    });
    socket.write(next());
  });
}

/** One answer as it arrives: its head, then as many bytes as the head says. */
class Answer {
  private head: Buffer = Buffer.alloc(0);
  private missing = 0;

  constructor(private readonly status: number) {}

  /** Whether the answer is complete with this chunk. @throws Error if it is not the answer that was expected */
  take(chunk: Buffer): boolean {
    if (this.missing > 0) {
      this.missing -= chunk.length;
      return this.missing === 0;
    }
    this.head = this.head.length > 0 ? Buffer.concat([this.head, chunk]) : chunk;
    const end = this.head.indexOf('\r\n\r\n');
    if (end === -1) return false;
    const head = this.head.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (!head.startsWith(`HTTP/1.1 ${this.status}`) || length === undefined) throw new Error(`unexpected answer: ${head}`);
    this.missing = end + 4 + Number(length) - this.head.length;
    this.head = Buffer.alloc(0);
    return this.missing === 0;
  }
}
