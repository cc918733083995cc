import { JOB, JSON_TYPE, refused, THREAD, type HostileRequest } from './hostile-request';

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

const FLAT_JOB = '/v1/jobs/{jobId}';

const ROUTES = [
  { method: 'POST', path: '/v1/threads' },
  { method: 'POST', path: `${THREAD}/messages` },
  { method: 'POST', path: `${JOB}/pursue` },
  { method: 'GET', path: '/v1/threads' },
  { method: 'GET', path: THREAD },
  { method: 'GET', path: `${THREAD}/messages` },
  { method: 'GET', path: JOB },
  { method: 'GET', path: `${JOB}/events` },
  { method: 'DELETE', path: THREAD },
  { method: 'GET', path: FLAT_JOB },
  { method: 'GET', path: '/v1/claims' },
  { method: 'GET', path: '/v1/jobs' },
  { method: 'GET', path: '/v1/me' },
  { method: 'GET', path: '/v1/providers' },
  { method: 'GET', path: '/v1/usage' },
];

/** What refuses all of a query's parameters at once, each with values that it must refuse. */
const REFUSED_VALUES: [string, string, string[]][] = [
  ['/v1/claims', 'jobId', ['', 'job_', 'thr_01jd6xw8k2e4zvq7h3m5n9p0rs', 'job_01JD6XW8K2E4ZVQ7H3M5N9P0RS', "' or 1=1", '\0']],
  ['/v1/claims', 'threadId', ['', 'job_01jd6xw8k2e4zvq7h3m5n9p0rs', '%']],
  ['/v1/claims', 'confidenceLevel', ['', 'High', 'none', 'high,low', '__proto__']],
  ['/v1/claims', 'query', ['', '   ', 'x'.repeat(501), 'a\0b']],
  ['/v1/claims', 'limit', ['0', '-1', '1.5', 'x', '']],
  ['/v1/jobs', 'status', ['', 'Completed', 'done', 'completed,failed', "completed'--", 'constructor']],
  ['/v1/jobs', 'budgetTier', ['', 'm', 'XXL', '0']],
  ['/v1/jobs', 'threadId', ['', 'job_01jd6xw8k2e4zvq7h3m5n9p0rs', '\0', '%']],
  [
    '/v1/jobs',
    'createdFrom',
    [
      '',
      'now',
      '0',
      '2026-11-21',
      '2026-13-01T00:00:00Z',
      '2026-11-21T09:30:00',
      '2026-11-21T09:30:00 01:00',
      '2026-02-30T00:00:00Z',
      '2026-02-29T12:00:00+01:00',
      '2026-04-31T23:59:59Z',
      '2026-11-21T24:00:00Z',
    ],
  ],
  ['/v1/jobs', 'createdBefore', ['', 'infinity', '+275760-09-13T00:00:01Z', '99999-01-01T00:00:00Z']],
  [
    '/v1/jobs',
    'cursor',
    [
      '',
      'x',
      '\0',
      'e30',
      Buffer.from("1.job_' or 1=1").toString('base64url'),
      Buffer.from('999999999999999999.job_01jd6xw8k2e4zvq7h3m5n9p0rs').toString('base64url'),
    ],
  ],
  ['/v1/usage', 'period', ['', '7', '7D', '8d', 'ALL', "7d'", '7d,30d', '\0']],
  ['/v1/jobs', 'limit', ['0', '-1', '1.5', 'x', '']],
  ['/v1/claims', 'offset', ['-1', 'x', '2147483648', '']],
];

/** Addresses that must be refused: identifiers, query parameters, methods, and what is nowhere. */
export function hostileAddresses(): HostileRequest[] {
  return [...identifiers(), ...parameters(), ...methods(), ...nowhere()];
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
    refused('malformed job id', 'GET', `/v1/jobs/${id}`, { pointers: ['/jobId'] }),
  ]);
  const claimIds = [
    '1',
    'clm_',
    'clm_01jd6xw8k2e4zvq7h3m5n9p0rs',
    'clm_01jd6xw8k2e4zvq7h3m5n9p0rs_0',
    'clm_01jd6xw8k2e4zvq7h3m5n9p0rs_1e3',
    '%00',
  ];
  return [
    ...claimIds.map((id) => refused('malformed claim id', 'GET', `/v1/claims/${id}`, { pointers: ['/claimId'] })),
    ...ofThread,
    refused('identifiers of the wrong kind', 'GET', '/v1/threads/{jobId}/jobs/{threadId}', { pointers: ['/threadId', '/jobId'] }),
    refused('an address that cannot be decoded', 'GET', '/v1/threads/%zz', {}),
    refused('an address that is not UTF-8', 'GET', '/v1/threads/%ff', {}),
  ];
}

function parameters(): HostileRequest[] {
  const limits = ['0', '-1', '1.5', '1e1', 'ten', '', ' 5', '%2B5', '0x10', '٣', 'NaN', '-0'];
  const offsets = ['-1', '-0', '0.5', 'x', '', '2147483648', '99999999999999999999', '1%00'];
  const repeated = (name: string) => refused(`${name} repeated`, 'GET', `/v1/threads?${name}=1&${name}=2`, { pointers: [`/${name}`] });
  const flags = ['', '1', 'yes', 'TRUE', ' true', 'true\0', 'null'];
  const refusedValues = REFUSED_VALUES.flatMap(([path, name, values]) => [
    ...values.map((value) =>
      refused(`${name} ${value}`, 'GET', `${path}?${name}=${encodeURIComponent(value)}`, { pointers: [`/${name}`] }),
    ),
    refused(`${name} repeated`, 'GET', `${path}?${name}=1&${name}=1`, { pointers: [`/${name}`] }),
  ]);
  const everyWrong = 'jobId=x&threadId=x&confidenceLevel=x&query=&limit=x&offset=x';
  return [
    ...refusedValues,
    refused('all wrong', 'GET', `/v1/claims?${everyWrong}`, {
      pointers: ['/jobId', '/threadId', '/confidenceLevel', '/query', '/limit', '/offset'],
    }),
    ...flags.map((flag) =>
      refused(`flag ${flag}`, 'GET', `${FLAT_JOB}?include_steps=${encodeURIComponent(flag)}`, { pointers: ['/include_steps'] }),
    ),
    refused('a flag repeated', 'GET', `${FLAT_JOB}?include_claims=true&include_claims=true`, { pointers: ['/include_claims'] }),
    refused('two flags wrong', 'GET', `${FLAT_JOB}?include_steps=x&include_provider_reports=y`, {
      pointers: ['/include_steps', '/include_provider_reports'],
    }),
    ...limits.map((limit) => refused(`limit ${limit}`, 'GET', `/v1/threads?limit=${encode(limit)}`, { pointers: ['/limit'] })),
    ...offsets.map((offset) => refused(`offset ${offset}`, 'GET', `/v1/threads?offset=${encode(offset)}`, { pointers: ['/offset'] })),
    refused('both wrong', 'GET', '/v1/threads?limit=x&offset=y', { pointers: ['/limit', '/offset'] }),
    repeated('limit'),
    repeated('offset'),
    ...ROUTES.map(({ method, path }) => refused('unknown query parameter', method, `${path}?debug=1`, { pointers: ['/debug'] })),
    refused('parameter of another case', 'GET', '/v1/threads?Limit=1', { pointers: ['/Limit'] }),
    refused('parameter of a prototype', 'GET', '/v1/threads?__proto__=1&constructor=2', { pointers: ['/__proto__', '/constructor'] }),
    refused('limit where there is no list', 'GET', '/v1/me?limit=1', { pointers: ['/limit'] }),
    ...['', '/messages'].map((list) =>
      refused(`limit and cursor of ${THREAD}${list}`, 'GET', `${THREAD}${list}?limit=0&cursor=x`, { pointers: ['/limit', '/cursor'] }),
    ),
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
    ['/v1/claims', ['POST', 'PUT', 'DELETE'], 'GET, HEAD'],
    ['/v1/me', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/v1/usage', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/v1/providers', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/v1/jobs', ['POST', 'PUT', 'DELETE'], 'GET, HEAD'],
    [FLAT_JOB, ['POST', 'PUT', 'DELETE'], 'GET, HEAD'],
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
