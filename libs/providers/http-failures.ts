import { isJsonObject, type JsonObject } from '@lib/domain/json-object';
import { retryAfterMs } from '@lib/domain/retry-after';
import type { ErrorClass } from '@lib/domain/vocabulary';

import { failureFromWords } from './ended-run';
import { googleLimit, meaningOf, toldWaitMs } from './error-words';
import { excerptOf, isWebPage } from './excerpt';
import { objectIn, textIn } from './json';
import { lackOf } from './own-failures';
import { ProviderError } from './research-provider';

/** The purpose of a call. It decides what a 404 means and whether a refused call can have cost anything. */
export type HttpMethod = 'GET' | 'POST';

export interface RefusedResponse {
  method: HttpMethod;
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The start of the body. */
  body: string;
}

/** How much of a body is read for the excerpt in messages. */
const MAX_READ_LENGTH = 4096;
const UNCHARGED = { charge: { micros: 0, provenance: 'computed' } } as const;

/** Unambiguous statuses. Any other 4xx is our fault, any other 5xx the provider's. */
const BY_STATUS: Readonly<Record<number, ErrorClass>> = {
  401: 'auth',
  402: 'quota',
  403: 'auth',
  404: 'model_gone',
  408: 'timeout',
  410: 'model_gone',
  425: 'unavailable',
  429: 'rate_limited',
};

/** Network errors by their code. `true`: nothing can have reached the provider. */
const BY_CODE: Readonly<Record<string, [ErrorClass, string, unsent: boolean]>> = {
  UND_ERR_CONNECT_TIMEOUT: ['unavailable', 'it could not be connected to in time', true],
  ECONNREFUSED: ['unavailable', 'the connection was refused', true],
  ENOTFOUND: ['unavailable', 'its host name is unknown', true],
  EAI_AGAIN: ['unavailable', 'its host name could not be looked up', true],
  EHOSTUNREACH: ['unavailable', 'there is no way to its host', true],
  ENETUNREACH: ['unavailable', 'there is no way to its network', true],
  EPROTO: ['unavailable', 'its server does not speak TLS: should baseUrl begin with http://?', true],
  ERR_SSL_WRONG_VERSION_NUMBER: ['unavailable', 'its server does not speak TLS: should baseUrl begin with http://?', true],
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'it did not answer in time', false],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'its answer stopped in the middle', false],
};

/** Error codes about certificates. These are checked before anything is sent. */
const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$|INVALID_CA$|SELF_SIGNED_|UNABLE_TO_)/;
const MISTRUSTED =
  'its certificate is not trusted. Where a proxy or a server of your own has issued it, name the file of its CA in NODE_EXTRA_CA_CERTS';

/** Turns an unsuccessful response into an error. Its class decides whether another attempt is made. */
export function refusal(response: RefusedResponse): ProviderError {
  const { method, status, headers, body } = response;
  const error = errorIn(body);
  const said = saidIn(error, body, status);
  const limit = status === 429 ? googleLimit(objectIn(error?.error)) : null;
  const errorClass = limit?.errorClass ?? classOf(method, status, said, error !== null);
  const waitMs = retryAfter(headers) ?? limit?.waitMs ?? (errorClass === 'rate_limited' ? toldWaitMs(said) : undefined);
  const words = status < 400 ? redirectTo(headers) : excerptOf(said);
  return new ProviderError(errorClass, `The provider answered ${status}${words === '' ? '' : `: ${words}`}`, {
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(errorClass === 'lost' ? { runEnded: true } : {}),
    ...(method === 'POST' && wasRefused(status) ? UNCHARGED : {}),
  });
}

/** The error for an answer with status 200 that is not a stream of events. */
export function noStream(body: string): ProviderError {
  const document = errorIn(body);
  const failed = document && (isJsonObject(document.error) || textIn(document.error) !== null);
  if (failed) return failureFromWords([saidIn(document, body, 200)]);
  return new ProviderError('malformed', `The response is no stream of events: ${excerptOf(body.slice(0, MAX_READ_LENGTH))}`);
}

/** Turns a failure of the network, or of reading the body, into an error. */
export function networkFailure(error: unknown, method: HttpMethod): ProviderError {
  const lack = lackOf(error);
  if (lack !== null) return notConnected(lack, method, error);
  const code = codeOf(error);
  const isMistrusted = CERTIFICATE.test(code);
  const otherwise = isMistrusted ? `${MISTRUSTED} (${code})` : `the connection broke (${code})`;
  const [errorClass, what, unsent] = BY_CODE[code] ?? (['unavailable', otherwise, isMistrusted] as const);
  const details = unsent && method === 'POST' ? UNCHARGED : {};
  return new ProviderError(errorClass, `The provider could not be reached: ${what}`, details, { cause: error });
}

/** The worker's own fault says nothing about the provider: another worker may reach it. A run that is polled goes on meanwhile. */
function notConnected(lack: string, method: HttpMethod, cause: unknown): ProviderError {
  const why = `the worker could not connect, because ${lack}`;
  if (method === 'GET') return new ProviderError('unavailable', `The provider could not be asked: ${why}`, {}, { cause });
  return new ProviderError('not_called', `Not called: ${why}`, UNCHARGED, { cause });
}

/** Gateways pass on with a 5xx also errors that would come again at every try: these classes are not an outage. */
const LASTING: ReadonlySet<ErrorClass> = new Set(['quota', 'auth', 'model_gone', 'content_filtered']);

/** Statuses that a gateway means as the API does. */
const MEANT_BY_ANYONE: ReadonlySet<number> = new Set([401, 402, 403, 408, 429]);

/** @param isOfApi whether the body is a JSON object, as in every error of the APIs */
function classOf(method: HttpMethod, status: number, said: string, isOfApi: boolean): ErrorClass {
  const meant = isWebPage(said) ? undefined : meaningOf(said);
  if (status >= 500) return method === 'POST' && meant && LASTING.has(meant) ? meant : 'overloaded';
  // A proxy answered and not the API, so the answer says nothing about the run or the request.
  const isPage = isWebPage(said) && status !== 429 && status !== 408;
  const isForeign = status < 400 || isPage || (method === 'GET' && !isOfApi && !MEANT_BY_ANYONE.has(status));
  if (isForeign) return method === 'GET' ? 'unavailable' : 'invalid_request';
  if (method === 'GET' && (status === 404 || status === 410)) return 'lost';
  return meant ?? BY_STATUS[status] ?? 'invalid_request';
}

/** Statuses of gateways that gave up a call, or whose client did: behind them it may go on. */
const GIVEN_UP: ReadonlySet<number> = new Set([408, 499]);

/** After a 500, 502 or 504, or where a gateway gave up, a run may have been started; other statuses rule that out. */
function wasRefused(status: number): boolean {
  return (status < 500 && !GIVEN_UP.has(status)) || status === 503 || status === 529;
}

/** The JSON object of an error, which Google wraps in a list. Null if there is none. */
function errorIn(body: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(body);
    const document: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(document) ? document : null;
  } catch {
    return null;
  }
}

/** Code, type and message of an error, wherever the API puts them, without repeats of the status. The whole body if it holds none of them. */
function saidIn(document: JsonObject | null, body: string, status: number): string {
  if (!document) return body;
  const error = objectIn(document.error);
  const words = [error.code, error.type, error.status, error.message, document.error, document.code, document.message, document.detail];
  const texts = words.flatMap((word) => textIn(word) ?? []);
  if (texts.length === 0) return body;
  return [...new Set(texts)].filter((text) => text !== String(status)).join(': ');
}

/** Names only the host: a path may hold a proxy's session data. */
function redirectTo({ location }: RefusedResponse['headers']): string {
  const target = URL.parse([location].flat()[0] ?? '');
  return `a redirect${target ? ` to ${target.origin}` : ''}, which is not followed`;
}

/** The first of the headers that can be read. A wait of 0 does not count as a pause: the few tries of a step would be over within a second. */
function retryAfter(headers: RefusedResponse['headers']): number | undefined {
  const value = (name: string): string => [headers[name]].flat()[0]?.trim() ?? '';
  const now = momentOf(value('date'));
  const precise = Number(value('retry-after-ms') || Number.NaN) / 1000;
  // OpenRouter names the moment instead, in milliseconds.
  const reset = /^\d{13}$/.test(value('x-ratelimit-reset')) ? (Number(value('x-ratelimit-reset')) - now) / 1000 : Number.NaN;
  const asked = [String(precise), value('retry-after'), String(reset)].map((text) => retryAfterMs(text, now));
  return asked.find((milliseconds) => milliseconds !== undefined && milliseconds > 0);
}

/** Up to this difference the clocks count as equal, since the header has only whole seconds; then our own clock, which is finer, is used. */
const AGREE_MS = 2_000;

/** The time of the answer by the server's clock, which also set the time to retry at. By our own, if it is off, the wait could be far too short. */
function momentOf(date: string): number {
  const [own, told] = [Date.now(), Date.parse(date)];
  return Math.abs(told - own) > AGREE_MS ? told : own;
}

/** The code of an error or of its cause; otherwise its name. */
export function codeOf(error: unknown): string {
  for (let cause = error; isJsonObject(cause); cause = cause.cause) if (typeof cause.code === 'string') return cause.code;
  return textIn(objectIn(error).name) ?? 'unknown';
}
