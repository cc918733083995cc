import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What the server says last about a statement or a transaction that has ended: it waits for the next one. */
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);
const endsWithReady = (data: Buffer): boolean => data.subarray(-READY_FOR_QUERY.length).equals(READY_FOR_QUERY);

export interface PostgresProxy {
  /** The same database through the proxy. */
  url: string;
  /** The next statement whose text or name holds this is carried out, but the connection breaks before its answer. */
  loseAnswerOf(text: string): void;
  /** The answer to the next statement whose text or name holds this comes so much later. */
  delayAnswerOf(text: string, milliseconds: number): void;
  /** Every answer comes so much later, in connections old and new. */
  delayAnswers(milliseconds: number): void;
  /** How many answers were delayed. */
  delayed(): number;
  /** How many answers were lost. */
  lost(): number;
  /** Connections stay open and nothing more is heard on them, nor on new ones, until `thaw`; what was sent arrives then. */
  freeze(): void;
  /** The same from the next statement on whose text holds this. */
  freezeAt(text: string): void;
  thaw(): void;
  /**
   * As if the machine in between had been restarted, or the server's: whoever sends on one of the connections of now is told that there is none, or
   * hears nothing. New ones work.
   */
  forget(how: 'told' | 'in silence'): void;
  /** Breaks every connection and refuses new ones until `resume`. */
  interrupt(): void;
  resume(): void;
  /** Passes nothing on, in connections old and new, until `resume`: nobody is told that the other side has gone. */
  silence(): void;
  close(): Promise<void>;
}

/** A wire to PostgreSQL that can be cut at the worst moment. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const relayed = new Set<{ forgotten?: 'told' | 'in silence' }>();
  let wanted: string | null = null;
  let lost = 0;
  let slow: { text: string; milliseconds: number } | null = null;
  let delayed = 0;
  let lateMs = 0;
  let open = true;
  let silent = false;
  let frozen: (() => void)[] | null = null;
  let last: string | null = null;
  /** Now, or when the wire is heard again. */
  const pass = (send: () => void): void => void (frozen ? frozen.push(send) : send());
  const late = new Set<NodeJS.Timeout>();
  const passLater = (send: () => void, milliseconds: number): void => {
    const timer = setTimeout(() => {
      late.delete(timer);
      send();
    }, milliseconds);
    late.add(timer);
  };
  const answer = (send: () => void): void => (lateMs > 0 ? passLater(send, lateMs) : pass(send));

  const relay = (client: Socket): void => {
    if (!open) return void client.destroy();
    const server = connect(Number(target.port), target.hostname);
    const relation: { forgotten?: 'told' | 'in silence' } = {};
    relayed.add(relation);
    let losing = false;
    let delayMs = 0;
    for (const socket of [client, server]) {
      sockets.add(socket);
      if (silent) socket.pause();
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        // What a client sent before it gave up is under way.
        pass(() => client.destroy());
        pass(() => server.end());
      });
    }
    client.on('data', (data) => {
      if (relation.forgotten) return void (relation.forgotten === 'told' && client.resetAndDestroy());
      if (wanted !== null && data.includes(wanted)) {
        losing = true;
        wanted = null;
      }
      if (slow !== null && data.includes(slow.text)) {
        delayMs = slow.milliseconds;
        slow = null;
        delayed += 1;
      }
      if (last !== null && data.includes(last)) frozen ??= [];
      pass(() => server.write(data));
    });
    server.on('data', (data) => {
      if (delayMs > 0) {
        passLater(() => client.write(data), delayMs);
        if (endsWithReady(data)) delayMs = 0;
        return;
      }
      if (!losing) return answer(() => client.write(data));
      if (!endsWithReady(data)) return;
      lost += 1;
      client.destroy();
    });
  };

  const listener = createServer(relay).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    loseAnswerOf: (text) => (wanted = text),
    delayAnswerOf: (text, milliseconds) => (slow = { text, milliseconds }),
    delayAnswers: (milliseconds) => (lateMs = milliseconds),
    delayed: () => delayed,
    lost: () => lost,
    freeze: () => (frozen ??= []),
    freezeAt: (text) => (last = text),
    thaw: () => {
      const held = frozen ?? [];
      frozen = null;
      for (const send of held) send();
    },
    forget: (how) => relayed.forEach((relation) => (relation.forgotten = how)),
    interrupt: () => {
      open = false;
      cut();
    },
    resume: () => {
      open = true;
      silent = false;
      sockets.forEach((socket) => socket.resume());
    },
    silence: () => {
      silent = true;
      sockets.forEach((socket) => socket.pause());
    },
    close: async () => {
      cut();
      late.forEach(clearTimeout);
      listener.close();
      await once(listener, 'close');
    },
  };
}
