import type { OpenAPIObject } from '@nestjs/swagger';

/** Headers that the edge sets on every answer, whatever the route. They are documented here once, so that no route can omit them. */
const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies the request in the logs: what the client sent as `X-Request-Id`, or a new one.',
    schema: { type: 'string' },
  },
  RateLimit: { description: 'What is left of each limit, and in how many seconds it is whole again.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'The limits of requests, if there are any: how many, in how many seconds.',
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Changes when the answer does: with it in `If-None-Match` the same answer is 304, without a body.',
    schema: { type: 'string' },
  },
} as const;
type Name = keyof typeof HEADERS;

const REFERENCES: Readonly<Record<Name, object>> = Object.fromEntries(
  Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
) as Record<Name, object>;

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the answer that the client has.',
  schema: { type: 'string' },
  example: '"3-1"',
} as const;
const NOT_MODIFIED = { description: 'The answer is as the client has it: nothing is sent again.' };

/** Answers to requests without a known caller. They are not counted, so they do not say what is left of a limit. */
const UNCOUNTED = new Set(['401', 'RequestTimeout', 'RequestHeaderFieldsTooLarge']);

interface Response {
  description?: string;
  $ref?: string;
  headers?: Record<string, object>;
}
interface Operation {
  parameters?: { name?: string }[];
  responses: Record<string, Response>;
}

/** Documents the headers of every answer, and that every GET with a key may be asked with the tag of the answer that the client has. */
export function addEdgeHeaders(document: OpenAPIObject): void {
  document.components = { ...document.components, headers: { ...HEADERS } };
  for (const [path, item] of Object.entries(document.paths)) {
    const isCounted = path.startsWith('/v1/');
    if (isCounted && item.get) answerConditionally(item.get as Operation);
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete])
      if (operation) addTo((operation as Operation).responses, isCounted);
  }
  addTo(document.components.responses ?? {}, true);
}

/** The new parameter comes last, because generated code may identify parameters by their position. */
function answerConditionally(operation: Operation): void {
  operation.parameters ??= [];
  if (!operation.parameters.some(({ name }) => name === IF_NONE_MATCH.name)) operation.parameters.push({ ...IF_NONE_MATCH });
  operation.responses['304'] ??= { ...NOT_MODIFIED };
  for (const status of ['200', '304']) addHeaders(operation.responses[status], ['ETag']);
}

function addTo(responses: Record<string, Response>, isCounted: boolean): void {
  for (const [name, response] of Object.entries(responses))
    addHeaders(response, isCounted && !UNCOUNTED.has(name) ? ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'] : ['X-Request-Id']);
}

function addHeaders(response: Response | undefined, names: readonly Name[]): void {
  if (!response || response.$ref) return;
  response.headers = { ...response.headers, ...Object.fromEntries(names.map((name) => [name, REFERENCES[name]])) };
}
