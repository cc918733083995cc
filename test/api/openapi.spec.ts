import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import type { OpenAPIObject } from '@nestjs/swagger';

import { startApi, type TestApi } from './support/api';

interface Schema {
  properties?: Record<string, object>;
  required?: string[];
}
interface Response {
  $ref?: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: { $ref: string } }>;
}
interface Operation {
  operationId: string;
  responses: Record<string, Response>;
}

/** The committed contract. That the built application still serves it is checked by `make check`. */
const contract = JSON.parse(readFileSync(join(__dirname, '../../openapi/openapi.json'), 'utf8')) as OpenAPIObject;
const schemas = contract.components?.schemas as Record<string, Schema>;
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item as unknown as Record<string, Operation>)
    .filter(([method]) => ['get', 'post', 'patch', 'delete'].includes(method))
    .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

describe('the contract', () => {
  it('has the routes under their names', () => {
    expect(operations.map(({ method, path, operation }) => `${operation.operationId} ${method} ${path}`).sort()).toEqual([
      'addMessage POST /v1/threads/{threadId}/messages',
      'cancelJob POST /v1/threads/{threadId}/jobs/{jobId}/cancel',
      'createThread POST /v1/threads',
      'createWebhook POST /v1/webhooks',
      'deleteThread DELETE /v1/threads/{threadId}',
      'deleteWebhook DELETE /v1/webhooks/{webhookId}',
      'getBalance GET /v1/balance',
      'getCheckpoint GET /v1/audit/checkpoint',
      'getClaim GET /v1/claims/{claimId}',
      'getConsistencyProof GET /v1/audit/proofs/consistency',
      'getDeletionReceipt GET /v1/audit/deletions/{threadId}',
      'getInclusionProof GET /v1/audit/proofs/inclusion',
      'getJob GET /v1/threads/{threadId}/jobs/{jobId}',
      'getJobDetail GET /v1/jobs/{jobId}',
      'getLiveness GET /health/live',
      'getMe GET /v1/me',
      'getPastJob GET /v1/audit/jobs/{jobId}',
      'getReadiness GET /health/ready',
      'getThread GET /v1/threads/{threadId}',
      'getUsage GET /v1/usage',
      'getWebhook GET /v1/webhooks/{webhookId}',
      'listAuditEvents GET /v1/audit/events',
      'listAuditReads GET /v1/audit/reads',
      'listClaims GET /v1/claims',
      'listJobEvents GET /v1/threads/{threadId}/jobs/{jobId}/events',
      'listJobTopics GET /v1/threads/{threadId}/jobs/{jobId}/topics',
      'listJobs GET /v1/jobs',
      'listMessages GET /v1/threads/{threadId}/messages',
      'listProviders GET /v1/providers',
      'listThreads GET /v1/threads',
      'listWebhookDeliveries GET /v1/webhooks/{webhookId}/deliveries',
      'listWebhooks GET /v1/webhooks',
      'pursueJob POST /v1/threads/{threadId}/jobs/{jobId}/pursue',
      'redeliverWebhookEvent POST /v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      'rotateWebhookSecret POST /v1/webhooks/{webhookId}/rotate-secret',
      'testWebhook POST /v1/webhooks/{webhookId}/test',
      'updateWebhook PATCH /v1/webhooks/{webhookId}',
    ]);
  });

  it('is 3.0.3, and requires every field of a response', () => {
    expect(contract.openapi).toBe('3.0.3');
    for (const [name, { properties, required }] of Object.entries(schemas)) {
      if (properties && !name.endsWith('Body'))
        expect({ name, required: [...(required ?? [])].sort() }).toEqual({ name, required: Object.keys(properties).sort() });
    }
  });

  it('says null only where the specification does', () => {
    const nullable = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, schema]) => 'nullable' in schema && schema.nullable === true)
        .map(([property]) => `${name}.${property}`),
    );
    expect(
      nullable
        .filter(
          (name) =>
            !/^(Citation|JobEvent|JobTopics|ExploredTopic|Provider|Balance(Transaction)?|ApiKey|Usage|JobDetail|JobList(Item)?|JobStep|Past(Job|Run|Money|AgendaEntry)|Limits|Claim(Source|Evidence|Event)|Webhook(Created|Secret|Delivery|DeliveryList)?)\./.test(
              name,
            ),
        )
        .sort(),
    ).toEqual([
      'AuditEvent.appendedAt',
      'AuditEvent.sealedSha256',
      'AuditEventList.cursor',
      'AuditRead.address',
      'AuditRead.resource',
      'AuditReadList.nextCursor',
      'ClaimList.nextCursor',
      'Job.completedAt',
      'Job.durationSeconds',
      'Job.synthesisClaimsJson',
      'Job.synthesisMarkdown',
      'JobSummary.completedAt',
      'JobSummary.durationSeconds',
      'LoggedEvent.appendedAt',
      'Message.costCents',
      'Step.errorMessage',
      'ThreadList.nextCursor',
    ]);
  });

  it.each([
    ['getJob', '304', ['ETag', 'Retry-After', 'Preference-Applied', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy']],
    ['getJobDetail', '304', ['ETag', 'Retry-After', 'Preference-Applied']],
    ['getDeletionReceipt', '409', ['Retry-After']],
    ['createThread', '409', ['Retry-After']],
    ['createThread', '201', ['RateLimit', 'RateLimit-Policy']],
    ['createThread', '429', ['Retry-After', 'RateLimit', 'RateLimit-Policy']],
  ])('says which headers %s has at %s', (operationId, status, names) => {
    const found = operations.find(({ operation }) => operation.operationId === operationId);
    expect(Object.keys(found?.operation.responses[status]?.headers ?? {})).toEqual(expect.arrayContaining(names));
  });

  it('says of each list with a next page that the header Link leads there', () => {
    const isPaged = (name: string): boolean => schemas[name]?.properties?.nextCursor !== undefined;
    const paged = operations.filter(({ operation }) => {
      const content = JSON.stringify(operation.responses['200'] ?? {});
      return [...content.matchAll(/schemas\/(\w+)/g)].some(([, name = '']) => isPaged(name));
    });
    expect(paged.length).toBeGreaterThan(4);
    for (const { operation } of paged) expect(operation.responses['200']?.headers).toHaveProperty('Link');
  });

  it('tells pollers that cancelled is final', () => {
    expect(contract.paths['/v1/threads/{threadId}/jobs/{jobId}']?.get?.description).toContain('`completed`, `failed` or `cancelled`');
  });
});

describe('the application', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startApi({ basePath: '/research' });
  });
  afterAll(async () => {
    await api.app.close();
  });

  it('serves the contract without a key, with its base path', async () => {
    const response = await api.app.inject('/openapi.json');
    const served = response.json<OpenAPIObject>();
    expect(response.statusCode).toBe(200);
    expect(Object.keys(served.paths)).toEqual(Object.keys(contract.paths));
    expect(served.servers).toMatchObject([{ url: '{origin}/research' }]);
    expect(served.paths['/health/live']?.servers).toMatchObject([{ url: '{origin}' }]);
  });

  it('serves the same contract as OpenAPI 3.1, where null is a type', async () => {
    const [first, second] = await Promise.all(['/openapi.json', '/openapi-3.1.json'].map((path) => api.app.inject(path)));
    const served = second?.json<OpenAPIObject>();
    const asIn31 = JSON.parse(first?.body ?? '', (_, value: { nullable?: boolean; type?: string } | null) => {
      if (!value?.nullable) return value;
      const { nullable: _null, ...schema } = value;
      return { ...schema, type: [value.type, 'null'] };
    }) as OpenAPIObject;
    expect(served).toEqual({ ...asIn31, openapi: '3.1.0' });
    expect(served?.components?.schemas?.Job).toMatchObject({ properties: { completedAt: { type: ['string', 'null'] } } });
  });

  it('answers as the contract says, with nothing beyond it', async () => {
    const call = async (
      operationId: string,
      body?: object,
      ids: Record<string, string> = {},
      headers = { authorization: `Bearer ${api.key}` },
    ) => {
      const found = operations.find(({ operation }) => operation.operationId === operationId);
      if (!found) throw new Error(`the contract has no ${operationId}`);
      const url = found.path.startsWith('/v1')
        ? `/research${found.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '')}`
        : found.path;
      const response = await api.app.inject({ method: found.method as 'GET', url, headers, ...(body && { payload: body }) });
      const [type = ''] = String(response.headers['content-type']).split(';');
      const documented = found.operation.responses[response.statusCode];
      const schema = documented?.content?.[type]?.schema;
      expect({ operationId, undocumented: undocumentedHeaders(response.headers, documented) }).toEqual({ operationId, undocumented: [] });
      expect({ operationId, status: response.statusCode, isDocumented: schema !== undefined }).toMatchObject({ isDocumented: true });
      expect({ operationId, faults: faultsOf(response.json(), schema?.$ref ?? '') }).toEqual({ operationId, faults: [] });
      return response.json<{ id: string; job: { id: string } }>();
    };

    const thread = await call('createThread', { message: 'A question' });
    const ids = { threadId: thread.id, jobId: thread.job.id };
    await call('listThreads');
    await call('getThread', undefined, ids);
    await call('listMessages', undefined, ids);
    await call('addMessage', { message: 'More' }, ids);
    await call('getJob', undefined, ids);
    await call('pursueJob', { topic: 'A topic' }, ids);
    await call('listJobEvents', undefined, ids);
    await call('getLiveness');
    await call('getReadiness');
    await call('createThread', { message: '' });
    await call('createThread', { message: 'A question' }, {}, { authorization: '' });
    await call('deleteThread', undefined, ids);
    for (const operationId of ['getThread', 'listMessages', 'getJob', 'listJobEvents', 'deleteThread'])
      await call(operationId, undefined, ids);
  });
});

/** Of every answer over HTTP, so that no contract names them. */
const EVERYWHERE = new Set(['content-type', 'content-length', 'date', 'connection', 'cache-control', 'x-content-type-options', 'vary']);

function undocumentedHeaders(sent: object, response: Response | undefined): string[] {
  const documented = new Set(Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase()));
  return Object.keys(sent).filter((name) => !EVERYWHERE.has(name) && !documented.has(name));
}

/** What is wrong with a value by the schema of that name, an undocumented property included. */
function faultsOf(value: unknown, reference: string): string[] {
  const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
  const exact = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, schema.properties ? { ...schema, additionalProperties: false } : schema]),
  );
  ajv.addSchema({ $id: 'contract', components: { schemas: exact } });
  ajv.validate({ $ref: `contract${reference}` }, value);
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
