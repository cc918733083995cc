import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { NatsFrames } from '../support/nats-frames';
import { HALF, Stream, type Toll, type Weather } from './stream';

/** One way through the proxy. */
interface Joined {
  client: Socket;
  server: Socket;
  there: Stream;
  back: Stream;
}

/** All connections from one process to one server, through a proxy that can do to them whatever a network can. */
export class Connections {
  readonly weather: Weather = {
    held: { there: false, back: false },
    latencyMs: 0,
    lateMs: { there: 0, back: 0 },
    bytesPerSecond: Infinity,
    doubles: false,
    reorders: false,
  };
  readonly toll: Toll = { held: 0, delayed: 0, reset: 0, halfOpen: 0, doubled: 0, reordered: 0 };
  private readonly joined = new Set<Joined>();

  private constructor(
    private readonly listener: Server,
    private readonly targetPort: number,
    private readonly isNats: boolean,
  ) {
    listener.on('connection', (client: Socket) => this.join(client));
  }

  static async start(targetPort: number, { isNats = false } = {}): Promise<Connections> {
    // A connection that one side has closed still carries what the other side says.
    const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new Connections(listener, targetPort, isNats);
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  get open(): number {
    return this.joined.size;
  }

  /** Lets go what was held, in order. */
  calm(): void {
    Object.assign(this.weather, {
      held: { there: false, back: false },
      latencyMs: 0,
      lateMs: { there: 0, back: 0 },
      bytesPerSecond: Infinity,
      doubles: false,
      reorders: false,
    });
    for (const { there, back } of this.joined) [there, back].forEach((stream) => stream.flow());
  }

  /** Ends every connection at once, as a router does that lost its table. */
  reset(): void {
    for (const { client, server } of [...this.joined]) {
      this.toll.reset += 1;
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** One side of every connection is gone and the other is never told; what it says is heard by nobody. `end` closes what is left. */
  halve(gone: 'client' | 'server'): { end: () => void } {
    const left: Socket[] = [];
    for (const joined of [...this.joined]) {
      this.toll.halfOpen += 1;
      joined.there.end(HALF);
      joined.back.end(HALF);
      this.joined.delete(joined);
      joined[gone].destroy();
      const other = gone === 'client' ? joined.server : joined.client;
      other.removeAllListeners('end').removeAllListeners('close').resume();
      left.push(other);
    }
    return { end: () => left.forEach((socket) => socket.destroy()) };
  }

  async close(): Promise<void> {
    this.listener.close();
    for (const { client, server } of this.joined) [client, server].forEach((socket) => socket.destroy());
    await once(this.listener, 'close');
  }

  private join(client: Socket): void {
    const server = connect({ port: this.targetPort, host: '127.0.0.1', allowHalfOpen: true });
    const framesOf = () => (this.isNats ? new NatsFrames() : null);
    const joined: Joined = {
      client,
      server,
      there: new Stream('there', client, server, this.weather, this.toll, framesOf()),
      back: new Stream('back', server, client, this.weather, this.toll, framesOf()),
    };
    this.joined.add(joined);
    const part = (other: Socket, stream: Stream) => () => {
      // Nobody hears through a partition that the other side is gone; once it is over, everybody does.
      stream.atEnd(() => other.destroy());
      if (client.destroyed && server.destroyed) this.joined.delete(joined);
    };
    for (const socket of [client, server]) socket.on('error', () => undefined).setNoDelay();
    client.on('close', part(server, joined.there));
    server.on('close', part(client, joined.back));
  }
}
