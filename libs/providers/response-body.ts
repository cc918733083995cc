import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';

import type { Dispatcher } from 'undici';

import { codeOf } from './http-failures';
import { ProviderError } from './research-provider';

type Body = Dispatcher.ResponseData['body'];

/** A quarter of a megabit in a second: at this pace the longest answer takes some nine minutes, and what drips ends soon. */
const POLL_BYTES_PER_MS = 32;

/**
 * Reads the decompressed and decoded body, at most `maxBytes` of it. Counts after decompression, because of decompression bombs.
 * @param pollTimeoutMs for the answer to a poll, whose body has to come in time
 */
export async function* readBody(
  { headers, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  maxBytes: number,
  pollTimeoutMs?: number,
): AsyncGenerator<string> {
  // Without regard to case, and x-gzip is gzip (RFC 9110, 8.4.1).
  const encoding = String(headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase()
    .replace(/^x-(?=gzip$)/, '');
  if (encoding !== 'gzip' && encoding !== 'identity') {
    body.destroy();
    throw new ProviderError('malformed', `The response is encoded as ${JSON.stringify(encoding).slice(0, 40)}, which was not requested`);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  const watched = pollTimeoutMs === undefined ? null : endIfSlow(body, 2 * pollTimeoutMs, () => bytes);
  try {
    for await (const chunk of encoding === 'gzip' ? unzipped(body) : body) {
      bytes += (chunk as Buffer).length;
      if (bytes > maxBytes) throw new ProviderError('malformed', `The response is longer than the ${maxBytes} bytes allowed`);
      yield decode(decoder, chunk as Buffer);
    }
  } finally {
    watched?.end();
  }
  yield decode(decoder);
}

/** Breaks a body off that comes too slowly to be waited for. @param bytes how many have come */
function endIfSlow(body: Body, patienceMs: number, bytes: () => number): { end(): void } {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const tookMs = performance.now() - startedAt;
    const leftMs = patienceMs + bytes() / POLL_BYTES_PER_MS - tookMs;
    if (leftMs > 0) timer = setTimeout(look, Math.ceil(leftMs));
    else
      body.destroy(
        new ProviderError('timeout', `The answer to a poll came too slowly: ${bytes()} bytes in ${Math.round(tookMs / 1000)} s`),
      );
  };
  look();
  return { end: () => clearTimeout(timer) };
}

async function* unzipped(body: Body): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  body.on('error', (error: Error) => gunzip.destroy(error));
  try {
    for await (const chunk of body.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    throw codeOf(error).startsWith('Z_') ? new ProviderError('malformed', 'The response is not valid gzip', {}, { cause: error }) : error;
  } finally {
    gunzip.destroy();
    body.destroy();
  }
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (error) {
    throw new ProviderError('malformed', 'The response is not UTF-8', {}, { cause: error });
  }
}
