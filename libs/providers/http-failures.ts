import { isJsonObject } from '@lib/domain/json-object';
import { retryAfterMs } from '@lib/domain/retry-after';
import type { ErrorClass } from '@lib/domain/vocabulary';

import { objectIn, textIn } from './json';
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

const ownKeys = new Set<string>();
/** A shorter value is no key, and hiding it would garble messages. */
const SHORTEST_KEY = 8;
/** Longest part of a provider's text in a message. */
const LONGEST_EXCERPT = 300;
const UNCHARGED = { charge: { micros: 0, provenance: 'computed' } } as const;

/** Texts of providers that are more precise than their status. The first match counts. */
const SAID: readonly [RegExp, ErrorClass][] = [
  [/insufficient_quota|exceeded your current quota|credit balance|billing/i, 'quota'],
  [/(?:incorrect|invalid|wrong|missing) api[ _]?key|api[ _]?key (?:is )?(?:not valid|invalid)|api_key_invalid/i, 'auth'],
  [/model_not_found|model not found|model.{0,80}does not exist/i, 'model_gone'],
  [/content_policy|content_filter|invalid_prompt|safety policy/i, 'content_filtered'],
];

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
  UND_ERR_HEADERS_TIMEOUT: ['timeout', 'it did not answer in time', false],
  UND_ERR_BODY_TIMEOUT: ['timeout', 'its answer stopped in the middle', false],
};

/** Turns an unsuccessful response into an error, whose class decides about another attempt. */
export function refusal(response: RefusedResponse): ProviderError {
  const { method, status, headers, body } = response;
  const said = saidIn(body, status);
  const errorClass = classOf(method, status, said);
  const waitMs = retryAfter(headers);
  const words = status < 400 ? 'a redirect, which is not followed' : excerptOf(said);
  return new ProviderError(errorClass, `The provider answered ${status}${words === '' ? '' : `: ${words}`}`, {
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(errorClass === 'lost' ? { runEnded: true } : {}),
    ...(method === 'POST' && wasRefused(status) ? UNCHARGED : {}),
  });
}

/** Turns a failure of the network, or of reading the body, into an error. */
export function networkFailure(error: unknown, method: HttpMethod): ProviderError {
  const code = codeOf(error);
  const [errorClass, what, unsent] = BY_CODE[code] ?? ['unavailable', `the connection broke (${code})`, false];
  const details = unsent && method === 'POST' ? UNCHARGED : {};
  return new ProviderError(errorClass, `The provider could not be reached: ${what}`, details, { cause: error });
}

/** From now on this key is hidden in all messages, whichever provider repeats it. */
export function hideInMessages(key: string): void {
  if (key.length >= SHORTEST_KEY) ownKeys.add(key);
}

/** A provider's text as part of an error message: one line, without keys, at most 300 characters. */
export function excerptOf(text: string): string {
  const hidden = [...ownKeys]
    .reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text)
    .replace(/\b(?:sk|pplx|xai|gsk)-[\w*.-]{4,}|\bAIza[\w*-]{4,}/g, '[key]')
    .replace(/([?&](?:api[_-]?)?key=)[^&\s"']+/gi, '$1[key]');
  const characters = Array.from(hidden.replace(/[\s\p{Cc}]+/gu, ' ').trim());
  return characters.length > LONGEST_EXCERPT ? `${characters.slice(0, LONGEST_EXCERPT - 1).join('')}…` : characters.join('');
}

function classOf(method: HttpMethod, status: number, said: string): ErrorClass {
  if (method === 'GET' && (status === 404 || status === 410)) return 'lost';
  if (status >= 500) return 'overloaded';
  const meant = SAID.find(([pattern]) => pattern.test(said))?.[1];
  return meant ?? BY_STATUS[status] ?? 'invalid_request';
}

/** After a 500, 502 or 504 a run may have been started; other statuses rule that out. */
function wasRefused(status: number): boolean {
  return status < 500 || status === 503 || status === 529;
}

/** Code, type and message of an error, wherever the API puts them, unless they repeat the status; the body itself if it is no JSON object. */
function saidIn(body: string, status: number): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  if (Array.isArray(value)) value = value[0];
  if (!isJsonObject(value)) return body;
  const error = objectIn(value.error);
  const words = [error.code, error.type, error.status, error.message, value.error, value.code, value.message, value.detail];
  const texts = words.flatMap((word) => textIn(word) ?? []);
  if (texts.length === 0) return body;
  return [...new Set(texts)].filter((text) => text !== String(status)).join(': ');
}

function retryAfter(headers: RefusedResponse['headers']): number | undefined {
  const value = (name: string): string => [headers[name]].flat()[0]?.trim() ?? '';
  const precise = Number(value('retry-after-ms') || Number.NaN);
  return retryAfterMs(Number.isNaN(precise) ? value('retry-after') : String(precise / 1000), Date.now());
}

/** The code of an error or of its cause; otherwise its name. */
export function codeOf(error: unknown): string {
  for (let cause = error; isJsonObject(cause); cause = cause.cause) if (typeof cause.code === 'string') return cause.code;
  return textIn(objectIn(error).name) ?? 'unknown';
}
