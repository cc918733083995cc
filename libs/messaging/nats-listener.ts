import { NatsError, type Msg, type NatsConnection, type Subscription as NatsSubscription } from 'nats';
import { messageOfError } from '@lib/domain/message-of-error';
import { shortened } from '@lib/domain/shortened';
import { Repeats } from '@lib/memory/repeats';
import { MalformedMessage } from './fields';
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

const NOT_HANDLED = 'messages on a subject were not handled: look who else may publish to it, and with which build';
/** Of a malformed message, whose error names a field and quotes little, and of the client; what else is thrown may quote content. */
const MAX_WHY = 200;
const whyOf = (failure: unknown): string | undefined =>
  failure instanceof MalformedMessage || failure instanceof NatsError ? shortened(messageOfError(failure), MAX_WHY) : undefined;

/** Subscribes as soon as there is a connection; the client itself repeats that after a gap. */
export async function listen(
  link: NatsLink,
  { address, queue }: Listened,
  handle: MessageHandler,
  logger?: TransportLogger,
): Promise<Subscription> {
  const running = new Set<Promise<void>>();
  const repeats = new Repeats();
  /** At once and then every minute: whoever may publish to the subject could otherwise fill the log. */
  const failed = (failure: unknown): void => {
    const told = repeats.failed(failure);
    if (told)
      logger?.warn({ reason: 'listener_failed', ...told, subject: address, error: nameOf(failure), why: whyOf(failure) }, NOT_HANDLED);
  };
  const receive = (error: NatsError | null, message: Msg): void => {
    if (error) {
      // The client has ended the subscription, and will not renew it on later connections.
      subscription.pause();
      return failed(error);
    }
    const run = handle(message, subscription.pause)
      .catch(failed)
      .finally(() => running.delete(run));
    running.add(run);
  };
  const subscription = keepSubscribed(link, (connection) => connection.subscribe(address, { ...(queue && { queue }), callback: receive }));
  // A caller may send as soon as it knows that we listen.
  await link
    .current()
    ?.flush()
    .catch(() => undefined);
  return {
    stop: async () => {
      await subscription.stop();
      await Promise.all(running);
    },
  };
}

/** Subscribes as soon as there is a connection, and again some time after each pause. */
function keepSubscribed(link: NatsLink, subscribe: (connection: NatsConnection) => NatsSubscription) {
  let subscribed: NatsSubscription | null = null;
  let again: NodeJS.Timeout | undefined;
  let isStopped = false;
  const begin = (connection: NatsConnection): void => {
    subscribed ??= subscribe(connection);
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
  const forget = link.onUp(begin);
  resume();
  const stop = (): Promise<void> => {
    isStopped = true;
    forget();
    clearTimeout(again);
    return link.endSubscription(subscribed);
  };
  return { pause, stop };
}
