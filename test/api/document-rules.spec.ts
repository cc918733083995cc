import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';

import { startApi, type TestApi } from './support/api';

type Node = Record<string, unknown>;
interface Parameter {
  name: string;
  in: string;
  example?: unknown;
  schema: object;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  security?: object[];
  responses: Record<string, object>;
}

/** The committed contract. That the built application still serves it is checked by `make check`. */
const contract = JSON.parse(readFileSync(join(__dirname, '../../openapi/openapi.json'), 'utf8')) as {
  info: Node;
  servers: { url: string; variables: Record<string, { default: string }> }[];
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Node>; securitySchemes: Record<string, Node> };
};
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) => ('operationId' in operation ? [{ path, method, operation }] : [])),
);
const isOpen = ({ security = contract.security }: Operation): boolean => security.length === 0;

/** Every schema of the document with its place, examples and defaults left out. */
function* nodesOf(node: unknown, at: string): Generator<[string, Node]> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield [at, node as Node];
  for (const [name, value] of Object.entries(node))
    if (!['example', 'examples', 'default'].includes(name)) yield* nodesOf(value, `${at}/${name}`);
}
const placesWhere = (isFault: (node: Node, at: string) => boolean, root: unknown = contract): string[] =>
  [...nodesOf(root, '#')].filter(([at, node]) => isFault(node, at)).map(([at]) => at);

describe('every route of the contract', () => {
  it('has an example for each parameter, which the parameter allows', () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const faults = operations.flatMap(({ operation }) =>
      (operation.parameters ?? [])
        .filter(({ example, schema }) => example === undefined || !ajv.validate(schema, example))
        .map(({ name }) => `${operation.operationId}: put the example of ${name} into its schema, where Nest keeps it`),
    );
    expect(operations.length).toBeGreaterThan(15);
    expect(faults).toEqual([]);
  });

  it('documents a refusal of the client, and what everyone is answered who has no key', () => {
    const statuses = ({ responses }: Operation): string[] => Object.keys(responses);
    expect(operations.filter(({ operation }) => !statuses(operation).some((status) => /^4/.test(status)))).toEqual([]);
    expect(operations.filter(({ operation }) => statuses(operation).includes('401') === isOpen(operation))).toEqual([]);
  });

  it('says how keys look, under which licence it stands and where the service may be', () => {
    expect(contract.components.securitySchemes.bearerAuth).toMatchObject({
      scheme: 'bearer',
      bearerFormat: expect.stringMatching(/^rt_live_/),
    });
    expect(contract.info.license).toMatchObject({ name: expect.any(String) });
    expect(contract.servers).toEqual([expect.objectContaining({ url: '{origin}' })]);
    expect(contract.servers[0]?.variables.origin?.default).toMatch(/^http:/);
  });
});

describe('every schema of the contract', () => {
  it('closes no list of values that may grow: generated enums throw on a value that they do not know', () => {
    const responses = Object.entries(contract.components.schemas).filter(([name]) => !name.endsWith('Body'));
    const closed = responses.flatMap(([name, schema]) =>
      placesWhere((node) => Array.isArray(node.enum), schema).map((at) => `${name}${at.slice(1)}`),
    );
    expect(closed.sort()).toEqual(['BudgetTier', 'JobStatus', 'ResearchMode']);
    expect(contract.components.schemas.ProblemCode).toMatchObject({
      type: 'string',
      'x-extensible-enum': expect.arrayContaining(['not_found']),
    });
    expect(contract.components.schemas.JobStatus?.enum).toEqual(['pending', 'running', 'synthesizing', 'completed', 'failed', 'cancelled']);
  });

  it('says how large a number may be, the type of what has a default, and nothing about what else an object has', () => {
    expect(placesWhere(({ type, format }) => type === 'integer' && format !== 'int32' && format !== 'int64')).toEqual([]);
    expect(placesWhere((node) => 'default' in node && typeof node.type !== 'string', contract.components)).toEqual([]);
    expect(placesWhere(({ additionalProperties }) => additionalProperties === true)).toEqual([]);
  });
});

describe('the application', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(async () => {
    await api.app.close();
  });

  it('asks for a key where the contract says so, and nowhere else', async () => {
    const asks = await Promise.all(
      operations.map(async ({ path, method, operation }) => {
        const parameters = new Map((operation.parameters ?? []).map(({ name, example }) => [name, String(example)]));
        const url = path.replace(/\{(\w+)\}/g, (_, name: string) => parameters.get(name) ?? '');
        const { statusCode } = await api.app.inject({ method: method.toUpperCase() as 'GET', url });
        return [operation.operationId, statusCode === 401];
      }),
    );
    expect(Object.fromEntries(asks)).toEqual(
      Object.fromEntries(operations.map(({ operation }) => [operation.operationId, !isOpen(operation)])),
    );
  });
});
