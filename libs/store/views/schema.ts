import { ApiProperty } from '@nestjs/swagger';

import { idPattern, type IdKind } from '@lib/domain/ids';

/**
 * How the fields of responses stand in the OpenAPI document where their TypeScript type says too little: a number that is an
 * integer, a string that is a time, a null that is a value, an enum that has a name. Descriptions come from doc comments.
 */
interface Presence {
  nullable?: boolean;
}

const EXAMPLE_SUFFIX = '01jd6xw8k2e4zvq7h3m5n9p0rs';

export const exampleId = (kind: IdKind): string => `${kind}_${EXAMPLE_SUFFIX}`;

export const Identifier = (kind: IdKind, { nullable }: Presence = {}): PropertyDecorator =>
  ApiProperty({ type: String, pattern: idPattern(kind), example: exampleId(kind), ...presence(nullable) });

export const Timestamp = ({ nullable }: Presence = {}): PropertyDecorator =>
  ApiProperty({ type: String, format: 'date-time', example: '2026-11-21T09:30:00.000Z', ...presence(nullable) });

export const Text = (example: string, { nullable }: Presence = {}): PropertyDecorator =>
  ApiProperty({ type: String, example, ...presence(nullable) });

export const Integer = (example: number, { nullable }: Presence = {}): PropertyDecorator =>
  ApiProperty({ type: 'integer', minimum: 0, example, ...presence(nullable) });

const OPEN_LIST = { description: 'A later version may know more values.' };

/** A closed list to this version and an open one to clients. */
export const Enumeration = (enumName: string, values: readonly string[], { isArray }: { isArray?: boolean } = {}): PropertyDecorator =>
  ApiProperty({
    enum: [...values],
    enumName,
    enumSchema: OPEN_LIST,
    ...(isArray ? { isArray, example: [values[0]] } : { example: values[0] }),
  });

export const ListOf = (item: new () => object, { nullable }: Presence = {}): PropertyDecorator =>
  ApiProperty({ type: item, isArray: true, ...presence(nullable) });

function presence(nullable: boolean | undefined): Presence {
  return nullable ? { nullable } : {};
}
