import dns from 'node:dns';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { observing, type Exchange } from '@lib/providers/exchange';
import { createHttp, pathSegment, type HttpSettings, type ProviderHttp } from '@lib/providers/http';
import { ProviderError } from '@lib/providers/research-provider';
import type { ServerSentEvent } from '@lib/providers/server-sent-events';

const KEY = 'sk-very-secret-key-0123456789';
const servers: Server[] = [];
const forever = new AbortController().signal;

async function serve(listener: RequestListener, settings: Partial<HttpSettings> = {}): Promise<ProviderHttp> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const headers = { authorization: `Bearer ${KEY}` };
  return createHttp({ baseUrl, headers, connectTimeoutMs: 1000, headersTimeoutMs: 5000, bodyTimeoutMs: 5000, ...settings });
}

const answering = (status: number, body: string | Buffer, headers: Record<string, string> = {}, settings: Partial<HttpSettings> = {}) =>
  serve((_, response) => response.writeHead(status, headers).end(body), settings);

async function failureOf(call: Promise<unknown>): Promise<ProviderError> {
  const error: unknown = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof ProviderError) return error;
  throw error;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a request', () => {
  it('carries the key in its header, JSON in its body and nothing in its address', async () => {
    const seen: unknown[] = [];
    const http = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (body) => seen.push(request.method, request.url, request.headers.authorization, body));
      request.on('end', () => response.end('{"id":"run"}'));
    });
    expect(await http.post('/responses', { input: 'é' }, forever)).toBe('{"id":"run"}');
    expect(seen).toEqual(['POST', '/v1/responses', `Bearer ${KEY}`, '{"input":"é"}']);
  });

  it('says where in a trace it stands, where anything is traced', async () => {
    const http = await serve((request, response) => response.end(JSON.stringify(request.headers.traceparent ?? null)));
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const exchange = { status: null, requestId: null };
    const call = () => http.post('/responses', {}, forever);
    expect(await observing({ ...exchange, traceparent }, call)).toBe(JSON.stringify(traceparent));
    expect(await observing(exchange, call)).toBe('null');
  });

  it('is not made once its signal has aborted', async () => {
    let requests = 0;
    const http = await serve((_, response) => response.end(String((requests += 1))));
    await expect(http.post('/x', {}, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled');
    expect(requests).toBe(0);
  });

  it('ends with the reason of the abort, in the middle of an answer too', async () => {
    const abort = new AbortController();
    const http = await serve((_, response) => {
      response.write('{"half":');
      abort.abort(new Error('deadline'));
    });
    await expect(http.get('/x', abort.signal)).rejects.toThrow('deadline');
  });

  it('is never repeated', async () => {
    let requests = 0;
    const http = await serve((_, response) => {
      requests += 1;
      response.destroy();
    });
    const { errorClass, details } = await failureOf(http.post('/x', {}, forever));
    expect(errorClass).toBe('unavailable');
    expect(details.charge).toBeUndefined();
    expect(requests).toBe(1);
  });
});

describe('where the name of one provider is never answered for', () => {
  /** The system's resolver gives a process so many look-ups at a time. */
  const AT_A_TIME = 2;
  const DEAD = 'dead.invalid';

  beforeEach(() => {
    const waiting: (() => void)[] = [];
    let free = AT_A_TIME;
    const next = () => {
      while (free > 0 && waiting.length > 0) {
        free -= 1;
        waiting.shift()?.();
      }
    };
    jest.spyOn(dns, 'lookup').mockImplementation(((hostname: string, { all }: dns.LookupAllOptions, callback: Answer) => {
      waiting.push(() => {
        if (hostname === DEAD) return;
        free += 1;
        if (all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
        else callback(null, '127.0.0.1', 4);
        next();
      });
      next();
    }) as typeof dns.lookup);
  });
  afterEach(() => jest.restoreAllMocks());
  type Answer = (error: null, address: string | dns.LookupAddress[], family?: number) => void;

  it('another one is reached all the same, however many calls wait', async () => {
    await answering(200, '{"id":"run-1"}');
    const { port } = servers.at(-1)?.address() as AddressInfo;
    const of = (hostname: string) =>
      createHttp({ baseUrl: `http://${hostname}:${port}`, headers: {}, headersTimeoutMs: 500, connectTimeoutMs: 1_000 });
    const waiting = Array.from({ length: 16 }, () => of(DEAD).post('/runs', {}, forever));
    const refused = Promise.allSettled(waiting);
    expect(await of('other.invalid').post('/runs', {}, forever)).toBe('{"id":"run-1"}');
    for (const outcome of await refused) expect(outcome).toMatchObject({ status: 'rejected', reason: { errorClass: 'unavailable' } });
  });
});

describe('a refused submit', () => {
  const openAi = (code: string, message: string): string => JSON.stringify({ error: { message, type: 'invalid_request_error', code } });

  it.each([
    [400, openAi('bad_value', 'Unknown parameter'), 'invalid_request'],
    [400, openAi('invalid_prompt', 'Refused'), 'content_filtered'],
    [400, '[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]', 'auth'],
    [400, '{"code":"Client error","error":"Incorrect API key provided: xx"}', 'auth'],
    [400, '{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}', 'quota'],
    [400, openAi('model_not_found', 'The model `old` does not exist'), 'model_gone'],
    [401, '', 'auth'],
    [402, 'pay', 'quota'],
    [403, '{"error":"no"}', 'auth'],
    [404, '{}', 'model_gone'],
    [410, '', 'model_gone'],
    [413, '', 'invalid_request'],
    [422, '{"detail":"x"}', 'invalid_request'],
    [429, openAi('rate_limit_exceeded', 'Slow down'), 'rate_limited'],
    [429, openAi('insufficient_quota', 'You exceeded your current quota'), 'quota'],
    [503, '', 'overloaded'],
    [529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded'],
    [302, '', 'invalid_request'],
  ] as const)('with %d %s is %s and cost nothing', async (status, body, errorClass) => {
    const http = await answering(status, body, status === 302 ? { location: 'http://127.0.0.1:1/elsewhere' } : {});
    const failure = await failureOf(http.post('/x', {}, forever));
    expect(failure).toMatchObject({ errorClass, details: { charge: { micros: 0 } } });
    expect(failure.message).toContain(String(status));
  });

  it.each([500, 502, 504])('with %d may have cost something', async (status) => {
    const failure = await failureOf((await answering(status, '<html>oops</html>')).post('/x', {}, forever));
    expect(failure.errorClass).toBe('overloaded');
    expect(failure.details.charge).toBeUndefined();
  });

  it.each([
    [408, 'timeout'],
    [499, 'invalid_request'],
  ])('with %d was given up by a gateway, and may have cost something', async (status, errorClass) => {
    const failure = await failureOf((await answering(status, '')).post('/x', {}, forever));
    expect(failure.errorClass).toBe(errorClass);
    expect(failure.details.charge).toBeUndefined();
  });

  it('cost nothing where no connection came about', async () => {
    const http = createHttp({
      baseUrl: 'http://127.0.0.1:1',
      headers: {},
      connectTimeoutMs: 500,
      headersTimeoutMs: 500,
      bodyTimeoutMs: 500,
    });
    expect(await failureOf(http.post('/x', {}, forever))).toMatchObject({
      errorClass: 'unavailable',
      details: { charge: { micros: 0 } },
    });
  });
});

describe('a refused poll', () => {
  it.each([404, 410])('with %d means that the run is lost and over, at an unknown charge', async (status) => {
    const { errorClass, details } = await failureOf((await answering(status, '{}')).get('/x', forever));
    expect(errorClass).toBe('lost');
    expect(details).toEqual({ runEnded: true });
  });

  it.each([
    [404, '404 page not found'],
    [404, ''],
    [410, '<?xml version="1.0"?><html><body>Gone</body></html>'],
    [400, 'Bad Request'],
    [405, 'upstream connect error'],
  ])('with %d and no JSON is of a gateway, and says nothing about the run: %j', async (status, body) => {
    const { errorClass, details } = await failureOf((await answering(status, body)).get('/x', forever));
    expect({ errorClass, details }).toEqual({ errorClass: 'unavailable', details: {} });
  });

  it('with 401 and no JSON is of the key all the same', async () => {
    expect(await failureOf((await answering(401, 'Unauthorized')).get('/x', forever))).toMatchObject({ errorClass: 'auth' });
  });

  it('with 429 says nothing about what the run cost', async () => {
    const { details } = await failureOf((await answering(429, '{}', { 'retry-after': '2' })).get('/x', forever));
    expect(details).toEqual({ retryAfterMs: 2000 });
  });
});

describe('the wait that a provider asks for', () => {
  const waitOf = async (headers: Record<string, string>) =>
    (await failureOf((await answering(429, '', headers)).post('/x', {}, forever))).details.retryAfterMs;

  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '9', 'retry-after-ms': '120' }, 120],
    [{ 'retry-after': '999999999' }, 86_400_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '3', 'retry-after-ms': 'Infinity' }, 3000],
    [{ 'retry-after': '3', 'retry-after-ms': '-5' }, 3000],
    [{ 'retry-after': '3', 'retry-after-ms': '0' }, 3000],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, undefined],
    [{ 'retry-after': '3, 4' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{}, undefined],
  ])('as %j is %p ms', async (headers, expected) => {
    expect(await waitOf(headers)).toBe(expected);
  });

  it('may be a date', async () => {
    const wait = await waitOf({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(60_000);
  });

  it.each([600_000, -600_000])('is counted by the clock of the provider, which ours differs from by %d ms', async (aheadMs) => {
    const theirs = (inMs: number) => new Date(Date.now() + aheadMs + inMs);
    const date = theirs(0).toUTCString();
    const waits = [
      await waitOf({ date, 'retry-after': theirs(60_000).toUTCString() }),
      await waitOf({ date, 'x-ratelimit-reset': String(theirs(60_000).getTime()) }),
    ];
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(50_000);
      expect(wait).toBeLessThanOrEqual(61_000);
    }
  });
});

describe('the message of a failure', () => {
  const messageFor = async (body: string): Promise<string> =>
    (await failureOf((await answering(401, body)).post('/x', {}, forever))).message;

  it.each([
    ['our key', `{"error":{"message":"Bad key ${KEY}!"}}`],
    ['our key in text', `no such key: ${KEY}`],
    ['a part of a key', '{"error":{"message":"Incorrect API key provided: sk-very-*****6789"}}'],
    ['an address with a key', '{"error":{"message":"GET https://api.example/x?key=very-secret&alt=json failed"}}'],
    ["another provider's key", '{"error":{"message":"pplx-very-secret-0123456789 and AIzaSyvery-secret"}}'],
  ])('does not show %s', async (_, body) => {
    const message = await messageFor(body);
    expect(message).not.toMatch(/very-secret|6789/);
    expect(message).toContain('[key]');
  });

  it('shows what only stands in a header that is no key', async () => {
    const http = await answering(400, 'use 2023-06-01', {}, { headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' } });
    expect((await failureOf(http.post('/x', {}, forever))).message).toContain('use 2023-06-01');
  });

  it('is one line with at most 300 characters of what the provider said', async () => {
    const message = await messageFor(`{"error":{"message":"a\\n\\u0000b ${'😀'.repeat(1000)}"}}`);
    expect(message).toMatch(/^The provider answered 401: a b 😀+…$/u);
    expect(Array.from(message.slice('The provider answered 401: '.length))).toHaveLength(300);
  });

  it('says the status once, wherever the provider repeats it', async () => {
    const body = '{"error":{"code":"401","type":"error","message":"The key is unknown"}}';
    expect(await messageFor(body)).toBe('The provider answered 401: error: The key is unknown');
    expect(await messageFor('{"code":"401"}')).toBe('The provider answered 401');
  });

  it('is short also for an endless error page', async () => {
    const http = await serve((_, response) => {
      response.writeHead(500);
      const more = (): void => void (response.destroyed || response.write('x'.repeat(65_536), more));
      more();
    });
    expect((await failureOf(http.get('/x', forever))).message.length).toBeLessThan(400);
  });
});

describe('an answer', () => {
  it.each(['gzip', 'GZIP', 'x-gzip'])('may be compressed: %s', async (encoding) => {
    const http = await answering(200, gzipSync('{"text":"é"}'), { 'content-encoding': encoding });
    expect(await http.get('/x', forever)).toBe('{"text":"é"}');
  });

  it.each<[string, string | Buffer, Record<string, string>]>([
    ['longer than allowed', 'x'.repeat(100_001), {}],
    ['longer than allowed once it is unpacked', gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }],
    ['cut off in its compression', gzipSync('x'.repeat(5000)).subarray(0, 20), { 'content-encoding': 'gzip' }],
    ['not compressed as it says', 'plain', { 'content-encoding': 'gzip' }],
    ['compressed in a way that was not asked for', 'x', { 'content-encoding': 'br' }],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), {}],
    ['cut off within a character', Buffer.from([0x7b, 0xc3]), {}],
  ])('that is %s is malformed', async (_, body, headers) => {
    const http = await answering(200, body, headers, { maxResponseBytes: 100_000 });
    expect(await failureOf(http.get('/x', forever))).toMatchObject({ errorClass: 'malformed' });
  });

  it('is put together from characters that arrive in halves', async () => {
    const http = await serve((_, response) => {
      const bytes = Buffer.from('"é漢😀"');
      const next = (at: number): void =>
        void (at < bytes.length ? response.write(bytes.subarray(at, at + 1), () => next(at + 1)) : response.end());
      next(0);
    });
    expect(await http.get('/x', forever)).toBe('"é漢😀"');
  });

  it('that does not start in time is a timeout', async () => {
    const http = await serve(() => undefined, { headersTimeoutMs: 200 });
    expect(await failureOf(http.post('/x', {}, forever))).toMatchObject({ errorClass: 'timeout', details: {} });
  });

  it('that falls silent in the middle is a timeout', async () => {
    const http = await serve((_, response) => void response.write('{'), { bodyTimeoutMs: 200 });
    expect(await failureOf(http.post('/x', {}, forever))).toMatchObject({ errorClass: 'timeout' });
  });

  it.each([
    [200, '{'],
    [200, ' '.repeat(1_000_000)],
    [503, '{'],
  ])(
    'to a poll, with %d, that falls silent in the middle is given up after a while, whatever a submit may take',
    async (status, start) => {
      const http = await serve((_, response) => void response.writeHead(status).write(start), {
        headersTimeoutMs: 200,
        bodyTimeoutMs: 60_000,
      });
      const { errorClass } = await failureOf(http.get('/x', forever));
      expect(errorClass).toBe(status === 200 ? 'timeout' : 'overloaded');
    },
    10_000,
  );

  const inPieces = (piece: string, count: number, headers: Record<string, string> = {}) =>
    serve(
      (_, response) => {
        response.writeHead(200, headers);
        let left = count;
        const timer = setInterval(() => {
          left -= 1;
          if (left > 0) return response.write(piece);
          clearInterval(timer);
          response.end(piece);
        }, 20);
        response.on('close', () => clearInterval(timer));
      },
      { headersTimeoutMs: 200, bodyTimeoutMs: 60_000 },
    );

  it('to a poll that drips is given up after a while', async () => {
    const http = await inPieces(' ', 3_000);
    const { errorClass, message } = await failureOf(http.get('/x', forever));
    expect([errorClass, message]).toEqual(['timeout', expect.stringMatching(/^The answer to a poll came too slowly: \d+ bytes in 0 s$/)]);
  });

  it('to a poll may be long and take its time as long as it comes', async () => {
    const piece = 'x'.repeat(20_000);
    expect(await (await inPieces(piece, 40)).get('/x', forever)).toHaveLength(40 * piece.length);
  });

  it('that breaks off is unavailable', async () => {
    const http = await serve((_, response) => response.write('{', () => response.destroy()));
    expect(await failureOf(http.get('/x', forever))).toMatchObject({ errorClass: 'unavailable' });
  });
});

describe('a stream', () => {
  const collect = async (http: ProviderHttp): Promise<ServerSentEvent[]> => {
    const events: ServerSentEvent[] = [];
    for await (const event of http.stream('/x', {}, forever)) events.push(event);
    return events;
  };

  const eventsOf = async (pieces: readonly string[], settings: Partial<HttpSettings> = {}) => {
    const http = await serve((_, response) => {
      const next = (at: number): void =>
        void (at < pieces.length ? response.write(pieces[at], () => setImmediate(next, at + 1)) : response.end());
      next(0);
    }, settings);
    return collect(http);
  };

  it('gives its events, however the lines end and the pieces fall', async () => {
    const events = await eventsOf([
      'event: a\nda',
      'ta: 1\n',
      '\n: comment\r',
      '\ndata:2\r\ndata: 3\r\n\r\nid: 9\n\ndata\n\ndata: cut off',
    ]);
    expect(events).toEqual([
      { event: 'a', data: '1' },
      { event: 'message', data: '2\n3' },
      { event: 'message', data: '' },
    ]);
  });

  it('that exceeds the limit is malformed', async () => {
    const failure = await failureOf(eventsOf(['data: ', 'x'.repeat(2000)], { maxResponseBytes: 1000 }));
    expect(failure.errorClass).toBe('malformed');
  });

  it('that is refused fails as any other request', async () => {
    const http = await answering(529, '{}', { 'retry-after': '1' });
    const failure = await failureOf(collect(http));
    expect(failure).toMatchObject({ errorClass: 'overloaded', details: { retryAfterMs: 1000, charge: { micros: 0 } } });
  });

  it.each([
    ['application/json', '{"error":{"code":402,"message":"This request requires more credits"}}', 'quota', 'requires more credits'],
    ['application/json; charset=utf-8', '{"id":"msg_1","content":[]}', 'malformed', 'no stream of events: {"id":"msg_1"'],
    ['text/html', '<html><title>Sign in</title></html>', 'malformed', 'a web page titled "Sign in"'],
  ])('that is none, but %s %s, tells what it is', async (type, body, errorClass, message) => {
    const failure = await failureOf(collect(await answering(200, body, { 'content-type': type })));
    expect(failure).toMatchObject({ errorClass, message: expect.stringContaining(message) as string });
  });

  it('is closed by whoever stops reading', async () => {
    const closed = Promise.withResolvers<void>();
    const http = await serve((request, response) => {
      request.socket.on('close', () => closed.resolve());
      response.write('data: 1\n\n');
    });
    for await (const { data } of http.stream('/x', {}, forever)) {
      expect(data).toBe('1');
      break;
    }
    await closed.promise;
  });
});

describe('a run id in an address', () => {
  it('is one segment', () => {
    expect(pathSegment('resp_1/../x?y')).toBe('resp_1%2F..%2Fx%3Fy');
  });

  it.each(['', '.', '..'])('that leads elsewhere, %j, is a lost run', (externalId) => {
    expect(() => pathSegment(externalId)).toThrow(/No run is known/);
  });
});

describe('what a call was answered with', () => {
  const observed = async (http: ProviderHttp, call: (http: ProviderHttp) => Promise<unknown>) => {
    const exchange: Exchange = { status: null, requestId: null };
    await observing(exchange, () => call(http).catch(() => undefined));
    return exchange;
  };

  it.each([
    [200, { 'x-request-id': 'req_1' }, 'req_1'],
    [429, { 'request-id': 'req_2' }, 'req_2'],
    [500, {}, null],
    [200, { 'x-request-id': 'an id with spaces' }, null],
    [200, { 'x-request-id': 'r'.repeat(300) }, 'r'.repeat(200)],
  ])('is told where somebody observes it: %i %j', async (status, headers, requestId) => {
    const http = await answering(status, '{}', headers);
    expect(await observed(http, (api) => api.post('/x', {}, forever))).toEqual({ status, requestId });
  });

  it('is that of the last call, and of the calls of one observer alone', async () => {
    let requests = 0;
    const http = await serve((_, response) => response.writeHead(200, { 'x-request-id': `req_${(requests += 1)}` }).end('{}'));
    const twice = observed(http, async (api) => {
      await api.post('/x', {}, forever);
      for await (const _ of api.stream('/x', {}, forever));
    });
    expect(await twice).toEqual({ status: 200, requestId: 'req_2' });
    const [one, other] = await Promise.all([1, 2].map(() => observed(http, (api) => api.get('/x', forever))));
    expect([one?.requestId, other?.requestId].sort()).toEqual(['req_3', 'req_4']);
    expect(await observed(http, async () => undefined)).toEqual({ status: null, requestId: null });
  });
});
