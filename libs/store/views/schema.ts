import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

import { idPattern, type IdKind } from '@lib/domain/ids';

/**
 * Adds to the OpenAPI document what the TypeScript type of a response's field does not say: that a number is an integer, a string a time, null a
 * value, or that an enum has a name. Descriptions come from doc comments.
 */
interface Presence {
  nullable?: boolean;
  /** In place of a doc comment. */
  description?: string;
}

const EXAMPLE_SUFFIX = '01jd6xw8k2e4zvq7h3m5n9p0rs';

export const exampleId = (kind: IdKind): string => `${kind}_${EXAMPLE_SUFFIX}`;

export const Identifier = (kind: IdKind, presence: Presence = {}): PropertyDecorator =>
  field({ type: String, ...described(presence), pattern: idPattern(kind), example: exampleId(kind) }, presence);

export const Timestamp = (presence: Presence = {}): PropertyDecorator =>
  field({ type: String, ...described(presence), format: 'date-time', example: '2026-11-21T09:30:00.000Z' }, presence);

export const Text = (example: string, presence: Presence = {}): PropertyDecorator =>
  field({ type: String, ...described(presence), example }, presence);

export const Integer = (example: number, presence: Presence = {}): PropertyDecorator =>
  field({ type: 'integer', ...described(presence), minimum: 0, example }, presence);

/** It may lie beyond 2^31. */
export const LargeInteger = (example: number, presence: Presence = {}): PropertyDecorator =>
  field({ type: 'integer', format: 'int64', ...described(presence), minimum: 0, example }, presence);

/** Enumerations to which nothing is added within `/v1` (`docs/compatibility.md`); any other list of values in a response may grow. */
export const CLOSED_LISTS: ReadonlySet<string> = new Set(['JobStatus', 'BudgetTier', 'ResearchMode']);

/** What the values of a list mean. */
const MEANINGS: Readonly<Record<string, string>> = {
  BudgetTier:
    'The most that a job may cost, in cents, unless the operator set other caps: XXS 100, XS 200, S 500, M 1500, L 3000, XL 6000. Of a job that names no provider it also decides how many are asked at most: 1, 1, 1, 2, 3 or all.',
  ResearchMode:
    '`fast` asks all providers at once, with little effort; `methodical` asks one after another, and tells each what the earlier reports left open.',
};

/** A closed list to this version, and mostly an open one to clients. */
export const Enumeration = (enumName: string, values: readonly string[], { isArray }: { isArray?: boolean } = {}): PropertyDecorator =>
  ApiProperty({
    enum: [...values],
    enumName,
    enumSchema: {
      description: [
        MEANINGS[enumName] ?? '',
        CLOSED_LISTS.has(enumName) ? 'All of them: none is added within `/v1`.' : 'A later version may know more values.',
      ]
        .join(' ')
        .trim(),
    },
    ...(isArray ? { isArray, example: [values[0]] } : { example: values[0] }),
  });

export const ListOf = (item: new () => object, presence: Presence = {}): PropertyDecorator =>
  field({ type: item, isArray: true }, presence);

const field = (property: ApiPropertyOptions, { nullable }: Presence): PropertyDecorator =>
  ApiProperty({ ...property, ...(nullable && { nullable }) });

const described = ({ description }: Presence) => (description === undefined ? {} : { description });
