import type { OpenAPIObject } from '@nestjs/swagger';
import { CLOSED_LISTS } from '@lib/store/views/schema';

type Node = Record<string, unknown>;

/** Values of these are data and no schema. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'required']);

/**
 * Gives every schema what generators of clients need and decorators do not say, so that a new route has it too. Generated enums throw on a value that they do
 * not know: a list that may grow is a string with `x-extensible-enum`.
 */
export function applyDocumentRules(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  for (const [name, schema] of Object.entries(schemas as Record<string, Node>)) {
    if (!CLOSED_LISTS.has(name)) visit(name.endsWith('Body') ? {} : schema, openList);
  }
  visit(document, liftParameterExample);
  visit(document, giveIntegersAFormat);
  visit(document, leaveObjectsFree);
  visit(document, (node) => unfoldDefaults(node, schemas as Record<string, Node>));
  return document;
}

function visit(node: unknown, act: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) act(node as Node);
  for (const [name, value] of Object.entries(node)) if (!DATA.has(name)) visit(value, act);
}

/** In 3.1 the type of what may be null is a list. */
const hasType = ({ type }: Node, name: string): boolean => [type].flat().includes(name);

function openList(schema: Node): void {
  if (!hasType(schema, 'string') || !Array.isArray(schema.enum)) return;
  schema['x-extensible-enum'] = schema.enum;
  delete schema.enum;
}

/** Nest drops an example that stands beside a parameter's schema, and some tools do not look for it inside. */
function liftParameterExample(parameter: Node): void {
  const schema = parameter.schema as Node | undefined;
  if (typeof parameter.in !== 'string' || schema?.example === undefined) return;
  parameter.example ??= schema.example;
  delete schema.example;
}

/** An object without properties is free anyway; said once more, Go cannot read it. */
function leaveObjectsFree(schema: Node): void {
  if (schema.additionalProperties === true) delete schema.additionalProperties;
}

/** Sums of cents may exceed 32 bits. */
function giveIntegersAFormat(schema: Node): void {
  if (hasType(schema, 'integer')) schema.format ??= 'int32';
  const properties = schema.properties as Record<string, Node> | undefined;
  for (const [name, property] of Object.entries(properties ?? {}))
    if (hasType(property, 'integer') && name.endsWith('Cents')) property.format ??= 'int64';
}

/** Beside `allOf` generators take a default for one of another type, so what has one says itself what it refers to. */
function unfoldDefaults(schema: Node, schemas: Record<string, Node>): void {
  const [only, ...others] = (schema.allOf ?? []) as { $ref?: string }[];
  if (schema.default === undefined || only?.$ref === undefined || others.length > 0) return;
  delete schema.allOf;
  Object.assign(schema, { ...schemas[only.$ref.replace('#/components/schemas/', '')], ...schema });
}
