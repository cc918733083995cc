import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Probe } from './manifests';
import { isReady } from './readiness';

interface Knowledge extends Probe {
  /** It acts so long after the probes have decided. */
  lagMs: number;
}

interface Backend {
  address: string;
  isReady: boolean;
  connections: number;
}

/**
 * A plain TCP balancer. It knows of its backends only what their readiness says, asked again and again: a new connection goes to a ready one, and
 * connections that there are stay where they are. It repeats nothing: a backend that is called ready and does not answer is a failed request.
 */
export class Balancer {
  private readonly backends: Backend[] = [];
  private readonly waiting: Socket[] = [];
  private readonly sockets = new Set<Socket>();
  private turn = 0;
  private isOpen = true;

  private constructor(
    private readonly listener: Server,
    private readonly knowledge: Knowledge,
  ) {
    listener.on('connection', (client: Socket) => this.join(client));
  }

  static async start(knowledge: Knowledge): Promise<Balancer> {
    const listener = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new Balancer(listener, knowledge);
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  add(address: string): void {
    const backend = { address, isReady: false, connections: 0 };
    this.backends.push(backend);
    void this.watch(backend);
  }

  /** How many connections a backend was given. */
  givenTo(address: string): number {
    return this.backends.find((backend) => backend.address === address)?.connections ?? 0;
  }

  /** Nobody asks any more for one that has ended. */
  remove(address: string): void {
    const place = this.backends.findIndex((backend) => backend.address === address);
    if (place !== -1) this.backends.splice(place, 1);
  }

  async close(): Promise<void> {
    this.isOpen = false;
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private async watch(backend: Backend): Promise<void> {
    const { everyMs, failures, lagMs } = this.knowledge;
    for (let failed = 0; this.isOpen && this.backends.includes(backend); await delay(everyMs, undefined, { ref: false })) {
      const answered = await isReady(backend.address);
      failed = answered ? 0 : failed + 1;
      if (answered || failed >= failures) void delay(lagMs, undefined, { ref: false }).then(() => this.decide(backend, answered));
    }
  }

  private decide(backend: Backend, isReadyNow: boolean): void {
    backend.isReady = isReadyNow;
    for (const client of this.waiting.splice(0)) this.join(client);
  }

  private join(client: Socket): void {
    const ready = this.backends.filter((backend) => backend.isReady);
    const backend = ready[this.turn++ % ready.length];
    if (!backend) return void this.waiting.push(client);
    backend.connections += 1;
    const { hostname, port } = new URL(backend.address);
    const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from.setNoDelay());
      from.on('error', () => to.destroy());
      from.on('close', () => this.sockets.delete(from) && from.errored && to.destroy());
      from.pipe(to);
    }
  }
}
