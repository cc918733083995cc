import type { Msg, NatsConnection, NatsError, Subscription as NatsSubscription } from 'nats';
import { LOOK_AGAIN_MS, type NatsLink } from './nats-connection';
import { nameOf, type Subscription, type TransportLogger } from './transport';

/** Called for each message. `pause` leaves the subject for `LOOK_AGAIN_MS`. */
export type MessageHandler = (message: Msg, pause: () => void) => Promise<void>;

export interface Listened {
  /** With the deployment's prefix. */
  address: string;
  /** Each message reaches one of the listeners in this queue. Without a queue it reaches all listeners. */
  queue?: string;
}

/** Subscribes as soon as there is a connection; the client itself repeats that after a gap. */
export async function listen(
  link: NatsLink,
  { address, queue }: Listened,
  handle: MessageHandler,
  logger?: TransportLogger,
): Promise<Subscription> {
  const running = new Set<Promise<void>>();
  let subscribed: NatsSubscription | null = null;
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;
  const failed = (failure: unknown): void =>
    logger?.warn({ reason: 'listener_failed', subject: address, error: nameOf(failure) }, 'a message was not handled');
  const begin = (connection: NatsConnection): void => {
    subscribed ??= connection.subscribe(address, { ...(queue && { queue }), callback: receive });
  };
  const resume = (): void => {
    const connection = link.current();
    if (connection) begin(connection);
  };
  const pause = (): void => {
    subscribed?.unsubscribe();
    subscribed = null;
    clearTimeout(again);
    if (!isStopped) again = setTimeout(resume, LOOK_AGAIN_MS).unref();
  };
  const receive = (error: NatsError | null, message: Msg): void => {
    if (error) {
      // The client has ended the subscription, and will not renew it on later connections.
      pause();
      return failed(error);
    }
    const run = handle(message, pause)
      .catch(failed)
      .finally(() => running.delete(run));
    running.add(run);
  };
  const forget = link.onUp(begin);
  resume();
  // A caller may send as soon as it knows that we listen.
  await link
    .current()
    ?.flush()
    .catch(() => undefined);
  return {
    stop: async () => {
      isStopped = true;
      forget();
      clearTimeout(again);
      await link.endSubscription(subscribed);
      await Promise.all(running);
    },
  };
}
