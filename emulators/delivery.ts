import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';

import type { Behaviour, BehaviourName } from './behaviours';
import type { Answer, ServerSentEvent } from './wire';

const MEGABYTE = 1024 * 1024;
/** Lets the client read what was sent before a reset, which drops the rest. */
const RESET_DELAY_MS = 20;
const LINE_FEED = 0x0a;

/** How a response is delivered. */
interface Travel {
  response: ServerResponse;
  /** Aborts when the client disconnects. */
  gone: AbortSignal;
  find(name: BehaviourName): Behaviour | undefined;
}

/** Sends a response as the behaviours demand. Rejects if the client disconnects before its end. */
export async function deliver(
  response: ServerResponse,
  answer: Answer,
  behaviours: readonly Behaviour[],
  gone: AbortSignal,
): Promise<void> {
  const travel: Travel = { response, gone, find: (name) => behaviours.find((behaviour) => behaviour.name === name) };
  const slow = travel.find('slow');
  if (slow) await sleep(slow.ms, undefined, { signal: gone });
  if (travel.find('hang')) await until(gone);
  if (travel.find('reset')) return void response.socket?.resetAndDestroy();
  const streamed = Symbol.asyncIterator in answer;
  response.setHeader('content-type', streamed ? 'text/event-stream' : 'application/json; charset=utf-8');
  const chunks = damaged(streamed ? eventsOf(answer) : [Buffer.from(toJson(answer))], travel);
  if (travel.find('gzip-bomb')) {
    response.setHeader('content-encoding', 'gzip');
    return pipeline(Readable.from(padded(chunks, travel, streamed), { objectMode: false }), createGzip({ level: 1 }), response, {
      signal: gone,
    });
  }
  for await (const chunk of padded(chunks, travel, streamed)) await write(travel, chunk);
  response.end();
  if (!response.writableFinished) await once(response, 'finish', { signal: gone });
}

/** Responds with a status and an error document of the API. */
export function sendError(response: ServerResponse, { code, retryAfter }: Pick<Behaviour, 'code' | 'retryAfter'>, body: object): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  response.writeHead(code, { 'content-type': 'application/json' }).end(toJson(body));
}

async function* eventsOf(events: AsyncIterable<ServerSentEvent>): AsyncGenerator<Buffer> {
  for await (const { event, data } of events) {
    const text = typeof data === 'string' ? data : toJson(data);
    yield Buffer.from(`${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`);
  }
}

async function* damaged(chunks: AsyncIterable<Buffer> | Iterable<Buffer>, { response, gone, find }: Travel): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    if (find('invalid-json')) yield withoutEnd(chunk);
    else if (find('invalid-utf8')) yield withBrokenText(chunk);
    else if (find('hang-body') ?? find('reset-body')) {
      yield chunk.subarray(0, chunk.length / 2);
      if (find('hang-body')) await until(gone);
      await sleep(RESET_DELAY_MS);
      response.socket?.resetAndDestroy();
      return;
    } else yield chunk;
  }
}

/** Puts the filler that `drip` and `gzip-bomb` ask for in front of the first chunk's JSON or the event stream. */
async function* padded(chunks: AsyncIterable<Buffer>, { find }: Travel, streamed: boolean): AsyncGenerator<Buffer> {
  let left = (find('drip') ?? find('gzip-bomb'))?.megabytes ?? 0;
  const filler = Buffer.alloc(left > 0 ? MEGABYTE : 0, 'x');
  for await (const chunk of chunks) {
    if (left === 0 || streamed) yield chunk;
    if (left === 0) continue;
    yield Buffer.from(streamed ? 'data: ' : '{"filler":"');
    for (; left > 0; left -= 1) yield filler;
    yield streamed ? Buffer.from('\n\n') : Buffer.concat([Buffer.from('",'), chunk.subarray(1)]);
  }
}

async function write({ response, gone }: Travel, chunk: Buffer): Promise<void> {
  gone.throwIfAborted();
  if (!response.write(chunk)) await once(response, 'drain', { signal: gone });
}

/** JSON as some providers write it: NaN becomes a text. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown): unknown => (Number.isNaN(part) ? 'NaN' : part));
}

/** Cuts JSON so that it is invalid. An event keeps its closing blank line, without which clients would ignore it. */
function withoutEnd(chunk: Buffer): Buffer {
  const start = chunk.subarray(0, Math.floor((2 * chunk.length) / 3));
  return chunk.at(-1) === LINE_FEED ? Buffer.concat([start, Buffer.from('\n\n')]) : start;
}

/** Puts an invalid UTF-8 byte at the start of the first text. */
function withBrokenText(chunk: Buffer): Buffer {
  const at = chunk.indexOf(':"') + 2;
  return Buffer.concat([chunk.subarray(0, at), Buffer.of(0xff), chunk.subarray(at)]);
}

function until(gone: AbortSignal): Promise<never> {
  return new Promise((_, reject) => gone.addEventListener('abort', () => reject(gone.reason as Error), { once: true }));
}
