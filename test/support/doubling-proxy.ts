import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { NatsFrames } from './nats-frames';

/**
 * Stands between NATS and its clients and doubles what is said: clients get every message twice, and what workers ask of the saga
 * reaches the server twice, so that the two may be served by different processes.
 */
export class DoublingProxy {
  /** Messages that were passed on twice, by the start of their subject. */
  readonly doubled = new Map<string, number>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly targetPort: number,
  ) {
    server.on('connection', (client: Socket) => this.join(client));
  }

  static async start(targetPort: number): Promise<DoublingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DoublingProxy(server, targetPort);
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const target = connect(this.targetPort, '127.0.0.1');
    this.pass(client, target, (subject) => subject.startsWith('step.'));
    this.pass(target, client, () => true);
  }

  private pass(from: Socket, to: Socket, isDoubled: (subject: string) => boolean): void {
    const frames = new NatsFrames();
    this.sockets.add(from);
    from.setNoDelay();
    from.on('data', (chunk) => {
      for (const { bytes, subject } of frames.push(chunk)) {
        to.write(bytes);
        if (subject === null || !isDoubled(subject)) continue;
        to.write(bytes);
        this.count(subject);
      }
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }

  private count(subject: string): void {
    const start = subject.split('.').slice(0, 2).join('.');
    this.doubled.set(start, (this.doubled.get(start) ?? 0) + 1);
  }
}
