import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { failureFromWords } from '@lib/providers/ended-run';
import { createHttp, type ProviderHttp } from '@lib/providers/http';
import { ProviderError } from '@lib/providers/research-provider';

import { Authority, hasOpenssl } from '../servers/certificates';
import { cannedServer, type Canned } from './canned-server';

const forever = new AbortController().signal;
const TIMEOUTS = { connectTimeoutMs: 1000, headersTimeoutMs: 5000, bodyTimeoutMs: 5000 };

async function failureOf(answer: Canned, call: 'post' | 'get' = 'post'): Promise<ProviderError> {
  const { url } = await cannedServer([answer]);
  return refusedBy(createHttp({ baseUrl: url, headers: {}, ...TIMEOUTS }), call);
}

async function refusedBy(http: ProviderHttp, call: 'post' | 'get' = 'post'): Promise<ProviderError> {
  const asked = call === 'post' ? http.post('/x', {}, forever) : http.get('/x', forever);
  const error: unknown = await asked.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw error;
}

/** Google's answer to whatever limit was reached. */
const ofGoogle = (quotaIds: readonly string[], retryDelay: string | null, more = '') => ({
  error: {
    code: 429,
    message: `You exceeded your current quota, please check your plan and billing details.${more} Please retry in 36.9s.`,
    status: 'RESOURCE_EXHAUSTED',
    details: [
      ...(quotaIds.length > 0
        ? [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: quotaIds.map((quotaId) => ({ quotaId })) }]
        : []),
      { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
      ...(retryDelay === null ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }]),
    ],
  },
});
const MINUTE = 'GenerateRequestsPerMinutePerProjectPerModel';
const DAY = 'GenerateRequestsPerDayPerProjectPerModel-FreeTier';

const ofOpenAi = (message: string, code = 'rate_limit_exceeded') => ({ error: { message, type: 'requests', param: null, code } });
const REACHED = 'Rate limit reached for gpt-5.5 in organization org-1 on requests per';
const PAY = 'You can increase your rate limit by adding a payment method at https://platform.openai.com/account/billing.';
const ofXai = (error: string) => ({ code: 'The caller does not have permission to execute the specified operation', error });

describe('a limit that was reached', () => {
  it.each([
    ['Google, for a minute', ofGoogle([MINUTE], '36.9s'), 'rate_limited', 36_900],
    ['Google, for a minute, with the pause in its words alone', ofGoogle([MINUTE], null), 'rate_limited', 36_900],
    ['Google, with nothing but a pause', ofGoogle([], '8s'), 'rate_limited', 8000],
    ['Google, with a pause of nothing', ofGoogle([MINUTE], '0s'), 'rate_limited', 36_900],
    ['Google, for a day, with a pause that is too short', ofGoogle([MINUTE, DAY], '36.9s'), 'quota', undefined],
    ['Google, of a tier that has nothing of the model', ofGoogle([MINUTE], '36.9s', ' limit: 0, model: x.'), 'quota', undefined],
    ['Google, without details', ofGoogle([], null), 'quota', undefined],
    ['OpenAI, for a minute', ofOpenAi(`${REACHED} min (RPM): Limit 3. Please try again in 20s. ${PAY}`), 'rate_limited', 20_000],
    ['OpenAI, for a day', ofOpenAi(`${REACHED} day (RPD): Limit 200. Please try again in 7m12.5s. ${PAY}`), 'rate_limited', 432_500],
    ['in minutes', ofOpenAi(`${REACHED} min. Please try again in 5 minutes.`), 'rate_limited', 300_000],
    ['in an hour and seconds', ofOpenAi(`${REACHED} min. Please retry in 1 hour 59 seconds.`), 'rate_limited', 3_659_000],
    ['in many milliseconds', ofOpenAi(`${REACHED} min. Please try again in 500 milliseconds.`), 'rate_limited', 500],
    ['OpenAI, in milliseconds', ofOpenAi(`${REACHED} min. Please try again in 350ms.`), 'rate_limited', 350],
    [
      'OpenAI, for good',
      ofOpenAi('You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota'),
      'quota',
      undefined,
    ],
    [
      'OpenAI, by this request alone',
      ofOpenAi('Request too large for gpt-5.5 on tokens per min (TPM): Limit 30000, Requested 45000.'),
      'invalid_request',
      undefined,
    ],
    [
      'xAI, for good',
      ofXai('Your team t has either used all available credits or reached its monthly spending limit.'),
      'quota',
      undefined,
    ],
    [
      'OpenRouter, for a day',
      { error: { code: 429, message: 'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000' } },
      'quota',
      undefined,
    ],
    [
      'Anthropic',
      { type: 'error', error: { type: 'rate_limit_error', message: 'This would exceed your rate limit' } },
      'rate_limited',
      undefined,
    ],
  ])('by %s', async (_, body, errorClass, waitMs) => {
    const { errorClass: told, details } = await failureOf({ status: 429, body });
    expect([told, details.retryAfterMs]).toEqual([errorClass, waitMs]);
    expect(details.charge).toMatchObject({ micros: 0 });
  });

  it('passes at the moment that a gateway names', async () => {
    const headers = { 'x-ratelimit-reset': String(Date.now() + 30_000) };
    const { errorClass, details } = await failureOf({ status: 429, headers, body: { error: { code: 429, message: 'Slow down' } } });
    expect(errorClass).toBe('rate_limited');
    expect(details.retryAfterMs).toBeGreaterThan(25_000);
    expect(details.retryAfterMs).toBeLessThanOrEqual(30_000);
  });

  it('by a run that was accepted passes too, when the run says so', () => {
    const failure = failureFromWords(['rate_limit_exceeded', `${REACHED} min. Please try again in 6m0s. ${PAY}`]);
    expect(failure).toMatchObject({ errorClass: 'rate_limited', details: { runEnded: true, retryAfterMs: 360_000 } });
  });
});

describe('a request that is refused', () => {
  it.each([
    ['for want of credits', 403, ofXai("Your newly created team doesn't have any credits yet. You can purchase credits."), 'quota'],
    [
      'for a limit of spending',
      400,
      { error: { type: 'invalid_request_error', message: 'You have reached your specified API usage limits.' } },
      'quota',
    ],
    ['by a safety check', 403, ofXai('Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO'), 'content_filtered'],
    ['by a moderation', 403, { error: { code: 403, message: 'm requires moderation and your input was flagged' } }, 'content_filtered'],
    [
      'by a filter behind a gateway',
      400,
      { error: { code: '400', message: 'litellm.ContentPolicyViolationError: filtered' } },
      'content_filtered',
    ],
    [
      'for the budget of a gateway',
      400,
      { error: { type: 'budget_exceeded', message: 'Budget has been exceeded! Max budget: 5' } },
      'quota',
    ],
    ['for a model that a gateway does not have', 400, { error: { message: 'v/m is not a valid model ID', code: 400 } }, 'model_gone'],
    [
      'by a gateway that has no way to the model',
      503,
      { error: { code: 'model_not_found', message: 'No available channel for model m' } },
      'model_gone',
    ],
    ['by a gateway whose account is empty', 500, { error: { message: 'litellm.APIError: insufficient_quota' } }, 'quota'],
    ['for an outage', 500, { error: { type: 'server_error', message: 'The server had an error' } }, 'overloaded'],
    ['for its region', 403, { error: { code: 'unsupported_country_region_territory', message: 'Country not supported' } }, 'auth'],
    [
      'for an organization that is not verified',
      404,
      { error: { code: 'model_not_found', message: 'Your organization must be verified' } },
      'model_gone',
    ],
  ])('%s', async (_, status, body, errorClass) => {
    expect((await failureOf({ status, body })).errorClass).toBe(errorClass);
  });
});

describe('what is not of the API', () => {
  const page = '<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head><body>billing rate_limit invalid api key</body></html>';

  it.each([
    ['post', 404, 'invalid_request'],
    ['post', 403, 'invalid_request'],
    ['get', 404, 'unavailable'],
    ['get', 403, 'unavailable'],
    ['get', 302, 'unavailable'],
    ['get', 502, 'overloaded'],
  ] as const)('says nothing of a run or a model: %s, %d', async (call, status, errorClass) => {
    const failure = await failureOf({ status, body: page, headers: { location: 'https://login.example/?session=s' } }, call);
    expect(failure.errorClass).toBe(errorClass);
    expect(failure.details.runEnded).toBeUndefined();
    const named =
      status === 302 ? 'a redirect to https://login.example, which is not followed' : 'a web page titled "404 Not Found" and not the API';
    expect(failure.message).toContain(named);
  });
});

const ifOpenssl = hasOpenssl() ? it : it.skip;

describe('a certificate that nobody here trusts', () => {
  ifOpenssl('is told as such, with what to do, and nothing was sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    const { certificate, key } = new Authority(folder, 'proxy').sign('api', ['IP:127.0.0.1']);
    let requests = 0;
    const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, () => (requests += 1));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    try {
      const { port } = server.address() as AddressInfo;
      const failure = await refusedBy(createHttp({ baseUrl: `https://127.0.0.1:${port}`, headers: {}, ...TIMEOUTS }));
      expect(failure.message).toMatch(/its certificate is not trusted.*NODE_EXTRA_CA_CERTS/);
      expect(failure).toMatchObject({ errorClass: 'unavailable', details: { charge: { micros: 0 } } });
      expect(requests).toBe(0);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('is no matter where no TLS is spoken at all', async () => {
    const { url } = await cannedServer([{ body: {} }]);
    const failure = await refusedBy(createHttp({ baseUrl: url.replace('http:', 'https:'), headers: {}, ...TIMEOUTS }));
    expect(failure.message).toContain('should baseUrl begin with http://?');
    expect(failure.details.charge).toMatchObject({ micros: 0 });
  });
});
