import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool } from 'pg';

/** A server that answers does so within this time, if what it is asked takes no time itself. */
export const SILENT_MS = 30_000;
const LOOK_AGAIN_MS = 5_000;
/** How long a connection may take to close. */
const CLOSING_MS = 5_000;

/** A server that is frozen, or a wire that was cut. The code is that of a peer that the operating system has given up. */
const silence = (): Error =>
  Object.assign(new Error(`PostgreSQL stopped answering: nothing was heard of it for ${SILENT_MS / 1000} s`), { code: 'ETIMEDOUT' });

/** Fails whatever waits for an answer on this connection. It is not closed in order, since a server that says nothing confirms nothing either. */
function hangUp(client: ClientBase): void {
  (client as ClientBase & { connection: { stream: Socket } }).connection.stream.destroy(silence());
}

async function orHangUp<Answer>(client: ClientBase, withinMs: number, answer: Promise<Answer>): Promise<Answer> {
  const late = setTimeout(() => hangUp(client), withinMs);
  try {
    return await answer;
  } finally {
    clearTimeout(late);
  }
}

export type Asked = Pick<ClientBase, 'query'>;

/** The connection for statements that take no time. One that is not answered fails, and the connection with it. */
export function forShortStatements(client: ClientBase): Asked {
  const query = (text: string): Promise<unknown> => orHangUp(client, SILENT_MS, client.query(text));
  return { query: query as ClientBase['query'] };
}

/** Closes a connection of which nobody knows whether the server still answers. */
export const closeAlone = (client: ClientBase & { end(): Promise<void> }): Promise<void> => orHangUp(client, CLOSING_MS, client.end());

/**
 * While a statement takes minutes, its connection cannot tell whether the server still works on it. So for as long as a connection of this pool is in
 * use, the server is asked on others, and the connection is given up once none of those was answered for that long.
 * @param answers whether the server does, on a new connection
 */
export function hangUpOnSilence(pool: Pool, answers: () => Promise<boolean>): void {
  const uses = new WeakMap<ClientBase, AbortController>();
  pool.on('acquire', (client) => {
    const use = new AbortController();
    uses.set(client, use);
    untilSilent(answers, use.signal).then(
      () => hangUp(client),
      () => undefined,
    );
  });
  pool.on('release', (_, client) => uses.get(client)?.abort());
}

/** @throws Error once the signal is aborted */
async function untilSilent(answers: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let heardAt = performance.now(); performance.now() - heardAt < SILENT_MS;) {
    await sleep(LOOK_AGAIN_MS, undefined, { signal, ref: false });
    if (await answers()) heardAt = performance.now();
  }
  signal.throwIfAborted();
}
