import { MAX_MESSAGE_CODE_POINTS } from '@lib/domain/vocabulary';

/** A request that must be refused, and how. `{threadId}` and `{jobId}` in the path stand for things that exist. */
export interface HostileRequest {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  status: number;
  code: string;
  /** Pointers of the violations, in order. */
  pointers: string[];
  allow?: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const THREAD = '/v1/threads/{threadId}';
const JOB = `${THREAD}/jobs/{jobId}`;
const MALFORMED_IDS = [
  '1',
  'thr_',
  'job_',
  'thr_8zzzzzzzzzzzzzzzzzzzzzzzzz',
  'thr_01JD6XW8K2E4ZVQ7H3M5N9P0RS',
  '%00',
  '..%2f',
  'a'.repeat(300),
  "'%20or%201=1",
];

interface BodyRoute {
  method: string;
  path: string;
  /** The property that holds the text. */
  text: string;
  options: boolean;
}
const BODY_ROUTES: BodyRoute[] = [
  { method: 'POST', path: '/v1/threads', text: 'message', options: true },
  { method: 'POST', path: `${THREAD}/messages`, text: 'message', options: false },
  { method: 'POST', path: `${JOB}/pursue`, text: 'topic', options: true },
];
const BODYLESS_ROUTES = [
  { method: 'GET', path: '/v1/threads' },
  { method: 'GET', path: THREAD },
  { method: 'GET', path: `${THREAD}/messages` },
  { method: 'GET', path: JOB },
  { method: 'GET', path: `${JOB}/events` },
  { method: 'DELETE', path: THREAD },
];
const ALL_ROUTES = [...BODY_ROUTES, ...BODYLESS_ROUTES];

/** Everything hostile that the routes know how to refuse. */
export function hostileRequests(): HostileRequest[] {
  return [
    ...BODY_ROUTES.flatMap((route) => [
      ...texts(route),
      ...properties(route),
      ...(route.options ? options(route) : []),
      ...rawBodies(route),
    ]),
    ...nonJsonBodies(),
    ...identifiers(),
    ...parameters(),
    ...methods(),
    ...nowhere(),
  ];
}

const refused = (name: string, method: string, path: string, expected: Partial<HostileRequest>): HostileRequest => {
  const code = expected.code ?? 'invalid_request';
  return { name: `${method} ${path}: ${name}`, method, path, headers: {}, body: undefined, status: 400, pointers: [], ...expected, code };
};

const withBody = ({ method, path }: BodyRoute, name: string, body: unknown, pointers: string[]): HostileRequest =>
  refused(name, method, path, { headers: JSON_TYPE, body: JSON.stringify(body), pointers });

function texts(route: BodyRoute): HostileRequest[] {
  const values: [string, unknown][] = [
    ['no text', undefined],
    ['null text', null],
    ['number as text', 42],
    ['list as text', ['a']],
    ['object as text', { toString: 'a' }],
    ['empty text', ''],
    ['blank text', ' \t\r\n\u00a0\u2003\ufeff'],
    ['text over the limit', 'a'.repeat(MAX_MESSAGE_CODE_POINTS + 1)],
    ['astral text over the limit', '😀'.repeat(MAX_MESSAGE_CODE_POINTS + 1)],
    ['NUL in the text', 'a\0b'],
    ['lone high surrogate', 'a\ud83d'],
    ['lone low surrogate', '\ude00a'],
  ];
  return values.map(([name, value]) => withBody(route, name, { [route.text]: value }, [`/${route.text}`]));
}

function properties(route: BodyRoute): HostileRequest[] {
  const unknown = ['extra', 'constructor', 'toString', 'a/b~c', '', '\ud800', 'id', 'Message'];
  const right = { [route.text]: 'A question' };
  return [
    ...unknown.map((name) => withBody(route, `unknown property ${JSON.stringify(name)}`, { ...right, [name]: 1 }, [pointer(name)])),
    withBody(route, 'everything wrong at once', { [route.text]: null, extra: 1, other: 2 }, ['/extra', '/other', `/${route.text}`]),
    withBody(route, 'a list as the body', [right], ['']),
    withBody(route, 'null as the body', null, ['']),
    withBody(route, 'a string as the body', 'message', ['']),
    ...(route.options ? [] : [withBody(route, 'an option of another route', { ...right, budget: 'M' }, ['/budget'])]),
  ];
}

const pointer = (name: string): string => `/${name.replace('\ud800', '\ufffd').replaceAll('~', '~0').replaceAll('/', '~1')}`;

function options(route: BodyRoute): HostileRequest[] {
  const values: [string, unknown, string[]][] = [
    ['budget', null, ['/budget']],
    ['budget', 'XXL', ['/budget']],
    ['budget', 'm', ['/budget']],
    ['budget', 3, ['/budget']],
    ['budget', 'toString', ['/budget']],
    ['mode', null, ['/mode']],
    ['mode', 'slow', ['/mode']],
    ['mode', ['fast'], ['/mode']],
    ['spidering', null, ['/spidering']],
    ['spidering', 'true', ['/spidering']],
    ['spidering', 1, ['/spidering']],
    ['providers', null, ['/providers']],
    ['providers', 'provider-a', ['/providers']],
    ['providers', {}, ['/providers']],
    ['providers', [], ['/providers']],
    ['providers', ['provider-z'], ['/providers/0']],
    ['providers', ['provider-a', 'provider-z', 7, null], ['/providers/1', '/providers/2', '/providers/3']],
    ['providers', [['provider-a']], ['/providers/0']],
    ['providers', ['provider-a', 'provider-b', 'provider-a'], ['/providers/2']],
    ['providers', ['provider-a', 'perplexity'], ['/providers/1']],
    ['providers', Array<string>(9).fill('provider-a'), ['/providers']],
  ];
  const right = { [route.text]: 'A question' };
  return [
    ...values.map(([name, value, pointers]) => withBody(route, `${name} ${JSON.stringify(value)}`, { ...right, [name]: value }, pointers)),
    withBody(route, 'several options wrong', { budget: 'Q', mode: 'Q', [route.text]: '' }, [`/${route.text}`, '/budget', '/mode']),
  ];
}

function rawBodies({ method, path, text }: BodyRoute): HostileRequest[] {
  const json = (name: string, body: string | Buffer) =>
    refused(name, method, path, { headers: JSON_TYPE, body, code: 'invalid_json', pointers: [''] });
  const right = `{"${text}":"A question"`;
  return [
    json('broken JSON', '{"'),
    json('two documents', `${right}}{}`),
    json('no JSON', 'hello'),
    json('single quotes', `{'${text}':'a'}`),
    json('a number that JSON does not know', `${right},"a":NaN}`),
    json('bytes that are not UTF-8', Buffer.from(`${right},"a":"\xff"}`, 'latin1')),
    json('__proto__', `${right},"__proto__":{"budget":"XL"}}`),
    json('constructor.prototype', `${right},"constructor":{"prototype":{"budget":"XL"}}}`),
    refused('an empty body', method, path, { headers: JSON_TYPE, code: 'invalid_json', pointers: [''] }),
    refused('no body at all', method, path, { code: 'invalid_json', pointers: [''] }),
    refused('a body of 2 MB', method, path, {
      headers: JSON_TYPE,
      body: `${right.slice(0, -1)}${'a'.repeat(2 * 1024 * 1024)}"}`,
      status: 413,
      code: 'payload_too_large',
    }),
    refused('deeply nested JSON', method, path, {
      headers: JSON_TYPE,
      body: `${right},"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      pointers: ['/a'],
    }),
  ];
}

function nonJsonBodies(): HostileRequest[] {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonx',
  ];
  const others = ['application/merge-patch+json', 'text/json', 'application/', 'nonsense', '*/*'];
  const bodies: (Record<string, string> | undefined)[] = [...types, ...others].map((type) => ({ 'content-type': type }));
  const routes = [...BODY_ROUTES, { method: 'DELETE', path: THREAD }];
  return routes.flatMap(({ method, path }) =>
    [...bodies, undefined].map((headers) =>
      refused(`a body of type ${headers?.['content-type'] ?? '(none)'}`, method, path, {
        headers: headers ?? {},
        body: '{"message":"A question","topic":"A question"}',
        status: 415,
        code: 'unsupported_media_type',
      }),
    ),
  );
}

function identifiers(): HostileRequest[] {
  const body = { headers: JSON_TYPE, body: '{"message":"A question"}' };
  const ofThread = MALFORMED_IDS.flatMap((id) => [
    refused('malformed thread id', 'GET', `/v1/threads/${id}`, { pointers: ['/threadId'] }),
    refused('malformed thread id', 'DELETE', `/v1/threads/${id}`, { pointers: ['/threadId'] }),
    refused('malformed thread id', 'GET', `/v1/threads/${id}/messages`, { pointers: ['/threadId'] }),
    refused('malformed thread id', 'POST', `/v1/threads/${id}/messages`, { ...body, pointers: ['/threadId'] }),
    refused('malformed thread id', 'GET', `/v1/threads/${id}/jobs/{jobId}`, { pointers: ['/threadId'] }),
    refused('malformed thread id', 'POST', `/v1/threads/${id}/jobs/{jobId}/pursue`, { ...body, pointers: ['/threadId'] }),
    refused('malformed job id', 'GET', `${THREAD}/jobs/${id}`, { pointers: ['/jobId'] }),
    refused('malformed job id', 'GET', `${THREAD}/jobs/${id}/events`, { pointers: ['/jobId'] }),
    refused('malformed job id', 'POST', `${THREAD}/jobs/${id}/pursue`, { ...body, pointers: ['/jobId'] }),
  ]);
  return [
    ...ofThread,
    refused('identifiers of the wrong kind', 'GET', '/v1/threads/{jobId}/jobs/{threadId}', { pointers: ['/threadId', '/jobId'] }),
    refused('an address that cannot be decoded', 'GET', '/v1/threads/%zz', {}),
    refused('an address that is not UTF-8', 'GET', '/v1/threads/%ff', {}),
  ];
}

function parameters(): HostileRequest[] {
  const limits = ['0', '-1', '1.5', '1e1', 'ten', '', ' 5', '%2B5', '0x10', '٣', 'NaN', '-0'];
  const offsets = ['-1', '0.5', 'x', '', '2147483648', '99999999999999999999', '1%00'];
  const repeated = (name: string) => refused(`${name} repeated`, 'GET', `/v1/threads?${name}=1&${name}=2`, { pointers: [`/${name}`] });
  return [
    ...limits.map((limit) => refused(`limit ${limit}`, 'GET', `/v1/threads?limit=${encode(limit)}`, { pointers: ['/limit'] })),
    ...offsets.map((offset) => refused(`offset ${offset}`, 'GET', `/v1/threads?offset=${encode(offset)}`, { pointers: ['/offset'] })),
    refused('both wrong', 'GET', '/v1/threads?limit=x&offset=y', { pointers: ['/limit', '/offset'] }),
    repeated('limit'),
    repeated('offset'),
    ...ALL_ROUTES.map(({ method, path }) => refused('unknown query parameter', method, `${path}?debug=1`, { pointers: ['/debug'] })),
    refused('parameter of another case', 'GET', '/v1/threads?Limit=1', { pointers: ['/Limit'] }),
    refused('parameter of a prototype', 'GET', '/v1/threads?__proto__=1&constructor=2', { pointers: ['/__proto__', '/constructor'] }),
    refused('limit where there is no list', 'GET', `${THREAD}/messages?limit=1`, { pointers: ['/limit'] }),
  ];
}

const encode = (text: string): string => (text.includes('%') ? text : encodeURIComponent(text));

function methods(): HostileRequest[] {
  const wrong: [string, string[], string][] = [
    ['/v1/threads', ['PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'POST, GET, HEAD'],
    [THREAD, ['POST', 'PUT', 'PATCH', 'OPTIONS'], 'GET, HEAD, DELETE'],
    [`${THREAD}/messages`, ['PUT', 'PATCH', 'DELETE'], 'GET, HEAD, POST'],
    [JOB, ['POST', 'PUT', 'PATCH', 'DELETE'], 'GET, HEAD'],
    [`${JOB}/pursue`, ['GET', 'PUT', 'DELETE'], 'POST'],
    [`${JOB}/events`, ['POST', 'DELETE'], 'GET, HEAD'],
  ];
  return wrong.flatMap(([path, names, allow]) =>
    names.map((method) =>
      refused('wrong method', method, path, { status: 405, code: 'method_not_allowed', allow, headers: JSON_TYPE, body: '{"' }),
    ),
  );
}

function nowhere(): HostileRequest[] {
  const paths = [
    '/v1',
    '/v1/',
    '/v1/thread',
    '/v1/threads/',
    `${THREAD}/jobs`,
    `${THREAD}/jobs/`,
    `${JOB}/steps`,
    '/v1//threads',
    '/v1/health/live',
  ];
  return paths.flatMap((path) =>
    ['GET', 'POST'].map((method) => refused('nothing there', method, path, { status: 404, code: 'not_found' })),
  );
}
