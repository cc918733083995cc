import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { messageOfError } from '@lib/domain/message-of-error';
import { KEY_VARIABLES } from '@lib/providers/registry';
import { readEnv } from '@lib/settings/read-env';
import { httpAddress } from '../http-address';
import { createMcpServer } from '../mcp/server';
import { keyOfClient, sourceOfClientKey } from './client-key';
import { plainText } from './plain-text';
import { sendTo } from './send-to';
import { followRequests } from './stdio-requests';

interface McpOptions {
  /** Of the service, with its base path. */
  url?: string;
}

/** Requests that are under way when the input ends are answered within this time or not at all. */
const LEAVES_WITHIN_MS = 5_000;

/**
 * Serves MCP over standard input and output, as a client of the service, until the input ends. What is under way by then is answered: a wait for a
 * job with how far that is.
 */
export async function mcp({ url }: McpOptions): Promise<void> {
  const env = readEnv(process.env, KEY_VARIABLES);
  const address = url ?? httpAddress(env.HOST, env.PORT) + env.BASE_PATH;
  const key = keyOfClient(env);
  if (!key) throw new Error(`There is no key for ${address}: set API_KEY.`);
  const stopping = new AbortController();
  const leaving = new AbortController();
  const onFailure = (error: unknown): void => {
    // About standard output everything is said in `whenReaderGone`.
    if ((error as NodeJS.ErrnoException).syscall !== 'write') process.stderr.write(`${plainText(messageOfError(error))}\n`);
  };
  const send = sendTo({ address, key, keySource: sourceOfClientKey(env) }, leaving.signal);
  // The SDK would drop pending requests when its input ends; this transport does not.
  const input = new PassThrough();
  const wire = new StdioServerTransport(input);
  const served = serveStdio(() => createMcpServer({ send, stopping: stopping.signal, onFailure }), { onerror: onFailure, transport: wire });
  const { answered, closed } = followRequests(wire);
  process.stdin.pipe(input, { end: false });
  process.stderr.write(`Serving MCP on standard input and output for ${address}\n`);
  const inputEnded = finished(process.stdin, { writable: false }).catch(onFailure);
  const stopped = Promise.race([closed, once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await Promise.race([inputEnded, stopped]);
  stopping.abort();
  await Promise.race([answered(), stopped, sleep(LEAVES_WITHIN_MS, undefined, { ref: false })]);
  leaving.abort();
  process.stdin.unpipe(input).pause();
  await served.close();
}
