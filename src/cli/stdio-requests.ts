import { setImmediate as turn } from 'node:timers/promises';

import type { Transport } from '@modelcontextprotocol/server';

/** It has no answer of its own: changes are sent for as long as the client listens. */
const LISTEN = 'subscriptions/listen';

/** Which requests of a client have no answer yet. */
export interface Requests {
  /** Resolves once every request received so far is answered or cancelled. */
  answered: () => Promise<void>;
  /** Resolves when nothing can be sent any more. */
  closed: Promise<void>;
}

/** @param wire a transport that is already being served: from now on its messages pass through here */
export function followRequests(wire: Transport): Requests {
  const open = new Set<unknown>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  let isDone = (): void => undefined;
  const end = (id: unknown): void => {
    open.delete(id);
    if (open.size === 0) isDone();
  };
  const { onmessage, onclose } = wire;
  wire.onmessage = (message, extra) => {
    if ('method' in message && 'id' in message && message.method !== LISTEN) open.add(message.id);
    if ('method' in message && message.method === 'notifications/cancelled') end(message.params?.requestId);
    onmessage?.(message, extra);
  };
  wire.onclose = () => {
    onclose?.();
    close();
  };
  const send = wire.send.bind(wire);
  wire.send = async (message, options) => {
    await send(message, options);
    if (!('method' in message)) end(message.id);
  };
  const answered = async (): Promise<void> => {
    // What was read last is on its way here.
    await turn();
    if (open.size > 0) await new Promise<void>((resolve) => (isDone = resolve));
  };
  return { answered, closed };
}
