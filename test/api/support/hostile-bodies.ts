import { MAX_MESSAGE_CODE_POINTS } from '@lib/domain/vocabulary';
import { JOB, JSON_TYPE, refused, THREAD, type HostileRequest } from './hostile-request';

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

const BODILESS_ROUTES = [
  { method: 'DELETE', path: THREAD },
  { method: 'POST', path: `${JOB}/cancel` },
];

/** What the routes that read a body must refuse in it, and what is no JSON body at all. */
export function hostileBodies(): HostileRequest[] {
  const ofRoute = (route: BodyRoute) => [
    ...texts(route),
    ...properties(route),
    ...(route.options ? options(route) : []),
    ...rawBodies(route),
  ];
  return [...BODY_ROUTES.flatMap(ofRoute), ...nonJsonBodies(), ...needlessBodies()];
}

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
    ['text of which nothing is seen', '\u200b\u2060\u3164\ufe0f\u00ad'],
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
    ...[
      ['/__proto__', `${right},"__proto__":{"budget":"XL"}}`],
      ['/constructor', `${right},"constructor":{"prototype":{"budget":"XL"}}}`],
      ['', `${right},"providers":[{"__proto__":1}]}`],
    ].map(([pointer = '', body]) => refused(`a prototype at ${pointer}`, method, path, { headers: JSON_TYPE, body, pointers: [pointer] })),
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

function needlessBodies(): HostileRequest[] {
  const bodies = ['{"reason":"late"}', '{"":{}}', '[]', '[{}]', 'null', '0', '""', 'true'];
  return BODILESS_ROUTES.flatMap(({ method, path }) =>
    bodies.map((body) => refused(`the needless body ${body}`, method, path, { headers: JSON_TYPE, body, pointers: [''] })),
  );
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
  const routes = [...BODY_ROUTES, ...BODILESS_ROUTES];
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
