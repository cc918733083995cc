import { isJsonObject, type JsonObject } from '@lib/domain/json-object';
import { excerptOf } from './excerpt';

import { ProviderError } from './research-provider';

/** Enough of a web page to include its title. */
const READ_FOR_EXCERPT = 4096;

/** @throws ProviderError `malformed` if the text is no JSON object */
export function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ProviderError('malformed', notJson(text), {}, { cause: error });
  }
  if (!isJsonObject(value)) throw new ProviderError('malformed', 'The response is not a JSON object');
  return value;
}

/** Quotes a text only if it does not begin like JSON: otherwise the message could contain a report. */
function notJson(text: string): string {
  const start = text.slice(0, READ_FOR_EXCERPT).trim();
  if (start === '') return 'The response is empty';
  return /^[[{]/.test(start) ? 'The response is not valid JSON' : `The response is not JSON: ${excerptOf(start)}`;
}

/** The value if it is an object, otherwise an empty object. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects in a list; empty if the value is not a list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The value if it is a non-empty string, otherwise null. */
export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The value if it is a count, 0 if it is missing, and null otherwise: an amount that cannot be read must not count as 0. */
export const countOrNone = (value: unknown): number | null => (value === undefined || value === null ? 0 : countIn(value));

/** The value if it is a whole number of at least 0, otherwise null. */
export function countIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
