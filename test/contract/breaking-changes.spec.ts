import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { breakingChanges } from '../../bench/contract/breaking-changes';

/** As much of a document as the changes touch. */
interface Schema {
  [name: string]: unknown;
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  enum: string[];
  'x-extensible-enum': string[];
}
interface Response {
  content: Record<string, { schema: object }>;
  headers: Record<string, object>;
}
interface Operation {
  operationId: string;
  security: object[];
  description: string;
  parameters: { name: string; in: string; required: boolean; example?: unknown; schema: Partial<Schema> }[];
  responses: Record<string, Response>;
}
interface Document {
  [name: string]: unknown;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Routes of each kind: a comparison of all of them takes a second. */
const ROUTES = ['/v1/threads', '/v1/threads/{threadId}', '/v1/threads/{threadId}/messages', '/v1/threads/{threadId}/jobs/{jobId}'].concat([
  '/v1/jobs',
  '/v1/usage',
  '/health/live',
]);
const WHOLE = JSON.parse(readFileSync(join(__dirname, '../../openapi/released.json'), 'utf8')) as Document;
const RELEASED: Document = { ...WHOLE, paths: Object.fromEntries(ROUTES.map((path) => [path, found(WHOLE.paths[path])])) };

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the released contract lacks what the test changes');
  return value;
}
const schema = ({ components }: Document, name: string): Schema => found(components.schemas[name]);
const property = (document: Document, name: string, key: string): Record<string, unknown> => found(schema(document, name).properties[key]);
const operation = ({ paths }: Document, path: string, method: string): Operation => found(paths[path]?.[method]);
const parameter = (document: Document, path: string, name: string) =>
  found(operation(document, path, 'get').parameters.find((one) => one.name === name));
const response = (document: Document, path: string, method: string, status: string): Response =>
  found(operation(document, path, method).responses[status]);
const without = (list: string[], value: string): string[] => list.filter((one) => one !== value);

function changesAfter(change: (document: Document) => void): string[] {
  const current = structuredClone(RELEASED);
  change(current);
  expect(current).not.toEqual(RELEASED);
  return breakingChanges(RELEASED, current);
}

describe('a change that breaks clients is found:', () => {
  const BREAKS: [string, RegExp, (document: Document) => void][] = [
    ['a path is gone', /usage/, ({ paths }) => delete paths['/v1/usage']],
    ['a method is gone', /delete/, ({ paths }) => delete paths['/v1/threads/{threadId}']?.delete],
    ['an operation is called otherwise', /operationId/, (all) => (operation(all, '/v1/threads', 'post').operationId = 'makeThread')],
    ['an open route asks for a key', /security/, (all) => (operation(all, '/health/live', 'get').security = [{ bearerAuth: [] }])],
    [
      'a success has another status',
      /201/,
      (all) => {
        const { responses } = operation(all, '/v1/threads', 'post');
        responses['200'] = found(responses['201']);
        delete responses['201'];
      },
    ],
    ['a problem is no longer documented', /409/, (all) => delete operation(all, '/v1/threads', 'post').responses['409']],
    [
      'an answer has another type of content',
      /application~1json/,
      (all) => {
        const { content } = response(all, '/v1/threads', 'post', '201');
        content['text/plain'] = found(content['application/json']);
        delete content['application/json'];
      },
    ],
    ['a header of an answer is gone', /Location/, (all) => delete response(all, '/v1/threads', 'post', '201').headers.Location],
    [
      'a schema is called otherwise',
      /MessageList/,
      ({ components: { schemas }, ...all }) => {
        schemas.Messages = found(schemas.MessageList);
        delete schemas.MessageList;
        const { content } = response({ ...all, components: { schemas } }, '/v1/threads/{threadId}/messages', 'get', '200');
        content['application/json'] = { schema: { $ref: '#/components/schemas/Messages' } };
      },
    ],
    [
      'a field of an answer is gone',
      /query/,
      (all) => {
        delete schema(all, 'Job').properties.query;
        schema(all, 'Job').required = without(schema(all, 'Job').required, 'query');
      },
    ],
    [
      'a field of an answer may be absent',
      /required/,
      (all) => (schema(all, 'Job').required = without(schema(all, 'Job').required, 'query')),
    ],
    ['a field of an answer may be null', /nullable/, (all) => (property(all, 'Job', 'query').nullable = true)],
    ['a field of an answer has another type', /type/, (all) => (property(all, 'Job', 'query').type = 'integer')],
    ['a number of an answer grows larger', /format/, (all) => (property(all, 'Job', 'durationSeconds').format = 'int64')],
    ['a closed list of an answer grows', /enum/, (all) => schema(all, 'JobStatus').enum.push('paused')],
    [
      'a request must have a new field',
      /purpose/,
      (all) => {
        schema(all, 'CreateThreadBody').properties.purpose = { type: 'string' };
        schema(all, 'CreateThreadBody').required.push('purpose');
      },
    ],
    ['a request may no longer have a field', /spidering/, (all) => delete schema(all, 'CreateThreadBody').properties.spidering],
    ['a request may no longer have a value', /enum/, (all) => (property(all, 'CreateThreadBody', 'budget').enum as string[]).shift()],
    ['a text of a request must be shorter', /maxLength/, (all) => (property(all, 'CreateThreadBody', 'message').maxLength = 10)],
    ['a default of a request changes', /budget/, (all) => (property(all, 'CreateThreadBody', 'budget').default = 'L')],
    ['a parameter is gone', /parameters/, (all) => operation(all, '/v1/jobs', 'get').parameters.shift()],
    ['a parameter must be given', /required/, (all) => (parameter(all, '/v1/jobs', 'status').required = true)],
    [
      'a new parameter must be given',
      /parameters/,
      (all) =>
        operation(all, '/v1/jobs', 'get').parameters.push({ name: 'since', in: 'query', required: true, schema: { type: 'string' } }),
    ],
    ['a parameter has another type', /type/, (all) => (parameter(all, '/v1/jobs', 'limit').schema.type = 'string')],
    ['a parameter may no longer have a value', /enum/, (all) => parameter(all, '/v1/jobs', 'status').schema.enum?.shift()],
    ['a parameter must be smaller', /maximum/, (all) => (parameter(all, '/v1/threads', 'offset').schema.maximum = 5)],
  ];

  it.each(BREAKS)('%s', (_, place, change) => {
    expect(changesAfter(change).join('\n')).toMatch(place);
  });
});

describe('an addition passes:', () => {
  const ADDITIONS: [string, (document: Document) => void][] = [
    ['a route', ({ paths }) => (paths['/v1/more'] = found(paths['/v1/usage']))],
    [
      'a problem of a route',
      (all) => (operation(all, '/v1/threads', 'post').responses['451'] = response(all, '/v1/threads', 'post', '409')),
    ],
    [
      'a field of an answer',
      (all) => {
        schema(all, 'Job').properties.more = { type: 'string' };
        schema(all, 'Job').required.push('more');
      },
    ],
    ['a value of an open list', (all) => schema(all, 'ProblemCode')['x-extensible-enum'].push('more')],
    ['a field that a request may have', (all) => (schema(all, 'CreateThreadBody').properties.more = { type: 'string' })],
    [
      'a parameter that may be given',
      (all) =>
        operation(all, '/v1/jobs', 'get').parameters.push({ name: 'more', in: 'query', required: false, schema: { type: 'string' } }),
    ],
    ['another order of parameters', (all) => operation(all, '/v1/jobs', 'get').parameters.reverse()],
    [
      'other words and examples',
      (all) => {
        operation(all, '/v1/jobs', 'get').description = 'More';
        property(all, 'Job', 'query').example = 'Another';
        parameter(all, '/v1/jobs', 'limit').example = 7;
      },
    ],
  ];

  it.each(ADDITIONS)('%s', (_, change) => {
    expect(changesAfter(change)).toEqual([]);
  });
});
