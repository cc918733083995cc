import { Agent, request, type Dispatcher } from 'undici';

import { exchangeHeaders, noteAnswer } from './exchange';
import { hideInMessages } from './excerpt';
import { networkFailure, noStream, refusal, type HttpMethod } from './http-failures';
import { MAX_RESPONSE_BYTES, ProviderError, type RawResponse } from './research-provider';
import { readBody } from './response-body';
import { sharedLookup } from './shared-lookup';
import { readEvents, type ServerSentEvent } from './server-sent-events';

export interface HttpSettings {
  /** The part that all addresses of the API share; without a key. */
  baseUrl: string;
  /** Sent with each request. Keys among them are hidden in errors. */
  headers: Readonly<Record<string, string>>;
  /** Most bytes of a body after decompression; a longer one is refused as `malformed`. Default: `MAX_RESPONSE_BYTES`. */
  maxResponseBytes?: number;
  /** Default: 10 seconds. */
  connectTimeoutMs?: number;
  /** Longest wait for the start of a response. */
  headersTimeoutMs: number;
  /** Longest pause within a response. Default: a minute. */
  bodyTimeoutMs?: number;
}

/**
 * HTTP client of one provider. It never retries and follows no redirects. Every failure is a `ProviderError` of the matching class, except
 * an abort, which rejects with the signal's reason. If a refused `post` or `stream` certainly cost nothing, the error carries a charge of 0;
 * an adapter that already paid for calls of the same run replaces it.
 */
export interface ProviderHttp {
  /** The body of a successful response. */
  post(path: string, body: object, signal: AbortSignal): Promise<RawResponse>;
  /** Like `post`; a 404 means that the run is `lost`. */
  get(path: string, signal: AbortSignal): Promise<RawResponse>;
  /** The events of a successful response as they arrive. Ending the iteration closes the connection. */
  stream(path: string, body: object, signal: AbortSignal): AsyncIterable<ServerSentEvent>;
  /** Fails like `get` and reads no body. Returns the server's time in whole seconds, or null if it does not send it. */
  probe(path: string, signal: AbortSignal): Promise<Date | null>;
  /** Like `probe`, for the description of a model, at the path that most APIs use. */
  probeModel(model: string | null, signal: AbortSignal): Promise<Date | null>;
}

/**
 * A poll is answered at once or not at all: behind a server that says nothing others would wait for their turn, and a run for the next look. So long may
 * the head of the answer take, and a pause within its body; the body as a whole twice as long, and longer only while it comes at a pace (`response-body.ts`).
 */
const POLL_TIMEOUT_MS = 15_000;
const MAX_ERROR_BYTES = 64 * 1024;
/** Headers that hold keys. Others, such as an API's version, are not secret, and hiding their values would garble messages. */
const KEY_HEADER = /^(?:authorization|x-.*-?key)$/i;

type Answer = Dispatcher.ResponseData;

/** One call of the API. */
interface Call {
  method: HttpMethod;
  path: string;
  body?: object;
  accept?: 'application/json' | 'text/event-stream';
  signal: AbortSignal;
}

/** Where calls go, and what is sent with each. */
type Route = Pick<HttpSettings, 'baseUrl' | 'headers'> & { dispatcher: Agent; pollTimeoutMs: number };

export function createHttp(settings: HttpSettings): ProviderHttp {
  const { baseUrl, headers, headersTimeoutMs: headersTimeout } = settings;
  const { connectTimeoutMs: timeout = 10_000, bodyTimeoutMs: bodyTimeout = 60_000, maxResponseBytes = MAX_RESPONSE_BYTES } = settings;
  const dispatcher = new Agent({ connect: { timeout, lookup: sharedLookup }, headersTimeout, bodyTimeout });
  const route: Route = { baseUrl, headers, dispatcher, pollTimeoutMs: Math.min(headersTimeout, POLL_TIMEOUT_MS) };
  for (const key of keysIn(headers)) hideInMessages(key);

  const whole = async (call: Call): Promise<RawResponse> => {
    const read: string[] = [];
    for await (const piece of pieces(route, call, maxResponseBytes)) read.push(piece);
    return read.join('');
  };
  const probe = (path: string, signal: AbortSignal) => timeOf(route, { method: 'GET', path, signal });
  return {
    post: (path, body, signal) => whole({ method: 'POST', path, body, signal }),
    get: (path, signal) => whole({ method: 'GET', path, signal }),
    stream: (path, body, signal) =>
      readEvents(pieces(route, { method: 'POST', path, body, accept: 'text/event-stream', signal }, maxResponseBytes)),
    probe,
    probeModel: (model, signal) => probe(`/models/${pathSegment(model ?? '')}`, signal),
  };
}

/** Sends a call. @throws ProviderError if the answer is no success */
async function send(route: Route, { method, path, body, accept = 'application/json', signal }: Call): Promise<Answer> {
  signal.throwIfAborted();
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const pollTimeoutMs = pollTimeoutOf(route, method);
  const headers = {
    ...exchangeHeaders(),
    ...route.headers,
    ...type,
    accept,
    'accept-encoding': accept === 'application/json' ? 'gzip' : 'identity',
  };
  const answer = await request(addressOf(route.baseUrl, path), {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    dispatcher: route.dispatcher,
    signal,
    ...(pollTimeoutMs !== undefined && { headersTimeout: pollTimeoutMs, bodyTimeout: pollTimeoutMs }),
  });
  noteAnswer(answer.statusCode, answer.headers);
  // Ending the iteration early destroys the body, which emits an error that nobody else handles.
  answer.body.on('error', () => undefined);
  if (answer.statusCode < 200 || answer.statusCode > 299) throw await readRefusal(answer, method, pollTimeoutMs);
  return answer;
}

/** The body of a successful response, piece by piece. */
async function* pieces(route: Route, call: Call, maxBytes: number): AsyncGenerator<string> {
  try {
    const answer = await send(route, call);
    if (call.accept === 'text/event-stream' && /json|html/i.test(String(answer.headers['content-type'])))
      throw noStream(await startOf(answer));
    yield* readBody(answer, maxBytes, pollTimeoutOf(route, call.method));
  } catch (error) {
    throw failureOf(error, call);
  }
}

/** The server's time in a successful response, whose body is not read. */
async function timeOf(route: Route, call: Call): Promise<Date | null> {
  try {
    const { headers, body } = await send(route, call);
    body.destroy();
    const told = Date.parse(String(headers.date));
    return Number.isNaN(told) ? null : new Date(told);
  } catch (error) {
    throw failureOf(error, call);
  }
}

/** Undefined for a submit, whose answer may take as long as the API thinks. */
const pollTimeoutOf = ({ pollTimeoutMs }: Route, method: HttpMethod): number | undefined => (method === 'GET' ? pollTimeoutMs : undefined);

/** The error to throw: the reason of the abort, if there was one. */
function failureOf(error: unknown, { method, signal }: Call): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof ProviderError ? error : networkFailure(error, method);
}

/**
 * A run id as one segment of a path.
 * @throws ProviderError `lost` for an id that would change the path
 */
export function pathSegment(externalId: string): string {
  if (/^\.{0,2}$/.test(externalId)) throw new ProviderError('lost', `No run is known by the id "${externalId}"`, { runEnded: true });
  return encodeURIComponent(externalId);
}

function addressOf(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}`;
}

function keysIn(headers: HttpSettings['headers']): string[] {
  return Object.entries(headers).flatMap(([name, value]) => (KEY_HEADER.test(name) ? value.replace(/^Bearer /, '') : []));
}

async function readRefusal(answer: Answer, method: HttpMethod, pollTimeoutMs?: number): Promise<ProviderError> {
  return refusal({ method, status: answer.statusCode, headers: answer.headers, body: await startOf(answer, pollTimeoutMs) });
}

/** The start of an error's body. If reading fails, the status is still reported. */
async function startOf(answer: Answer, pollTimeoutMs?: number): Promise<string> {
  const body: string[] = [];
  try {
    for await (const piece of readBody(answer, MAX_ERROR_BYTES, pollTimeoutMs)) body.push(piece);
  } catch {
    // The part that arrived is enough.
  }
  return body.join('');
}
