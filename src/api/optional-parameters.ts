import { idPattern, type IdKind } from '@lib/domain/ids';
import { exampleId } from '@lib/store/views/schema';

/** A query parameter that a request may leave out, as the OpenAPI document has it. */
const optional = <Schema extends object>(name: string, description: string, schema: Schema) =>
  ({ name, required: false, description, schema }) as const;

export const optionalText = (name: string, description: string, example: string) =>
  optional(name, description, { type: 'string', example });

export const optionalId = (name: string, description: string, kind: IdKind) =>
  optional(name, description, { type: 'string', pattern: idPattern(kind), example: exampleId(kind) });

export const optionalTime = (name: string, description: string) =>
  optional(name, description, { type: 'string', format: 'date-time', example: '2026-11-21T09:30:00Z' });

export const optionalFlag = (name: string, description: string) =>
  optional(name, description, { type: 'boolean', default: false, example: true });

export const optionalChoice = (name: string, description: string, values: readonly string[], example = values.at(-1)) =>
  optional(name, description, { type: 'string', enum: [...values], example });

/** Of a list that may grow: generated enums throw on a value that they do not know. */
export const optionalOpenChoice = (name: string, description: string, values: readonly string[], example: string) =>
  optional(name, description, { type: 'string', 'x-extensible-enum': [...values], example });
