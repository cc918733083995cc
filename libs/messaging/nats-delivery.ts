import { readTraceparent } from '@lib/domain/trace-context';
import type { Msg } from 'nats';
import { TRACE_HEADER } from './nats-work-queue';
import type { Work } from './subjects';
import type { Delivery } from './transport';

/** How many times within the ack_wait a process that holds an entry for long tells the broker that it is still at work. */
const SIGNS_OF_LIFE = 3;

export interface HeldEntry {
  delivery: Delivery;
  /** Its handler has ended: an entry that was not settled is delivered again. */
  release(): void;
}

/**
 * An entry that this process works on. While long work goes on, the broker is told so, so that it does not redeliver the entry. A process that hangs
 * tells nothing, and another one gets the entry.
 * @param answer tells the broker what became of it
 * @param ackWaitMs null for work that does not take long
 */
export function holdEntry(message: Msg, work: Work, answer: (words: string) => void, ackWaitMs: number | null): HeldEntry {
  const signs = ackWaitMs === null ? undefined : setInterval(() => answer('+WPI'), ackWaitMs / SIGNS_OF_LIFE);
  const release = (): void => clearInterval(signs);
  const settle = (words: string): void => {
    release();
    answer(words);
  };
  const delivery = {
    work,
    ...countsOf(message.reply ?? ''),
    trace: readTraceparent(message.headers?.get(TRACE_HEADER)),
    ack: () => settle('+ACK'),
    retryAfter: (milliseconds: number) => settle(nakFor(milliseconds)),
  };
  return { delivery, release };
}

export const nakFor = (milliseconds: number): string => `-NAK {"delay": ${Math.round(milliseconds * 1e6)}}`;

/** From the subject of the acknowledgement: `$JS.ACK.[<domain>.<account>.]<stream>.<consumer>.<deliveries>.<sequence>.<sequence>.<time>.<pending>…` */
const countsOf = (ackSubject: string): { deliveries: number; behind: number } => {
  const tokens = ackSubject.split('.');
  const first = tokens.length > 9 ? 6 : 4;
  return { deliveries: Number(tokens[first]), behind: Number(tokens[first + 4]) };
};
