import { isJsonObject, type JsonObject } from '@lib/domain/json-object';
import { excerptOf } from './excerpt';

import { ProviderError } from './research-provider';

/** How much of a web page is read to find its title. */
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

/** If the answer is no JSON at all, its start shows who answered. For a truncated document no excerpt is given: it would reveal the report. */
function notJson(text: string): string {
  const start = text.slice(0, READ_FOR_EXCERPT).trim();
  if (start === '') return 'The response is empty';
  return /^[[{]/.test(start) ? 'The response is not valid JSON' : `The response is not JSON: ${excerptOf(start)}`;
}

/** The object; an empty one for anything else. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; empty for anything else. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The text; null if it is empty, and for anything else. */
export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The count, or the other one if there is none; null for an invalid count, because an unreadable amount must not count as zero. */
export const countOr = (value: unknown, other: number): number | null => (value === undefined || value === null ? other : countIn(value));

export const countOrNone = (value: unknown): number | null => countOr(value, 0);

/** The number if it is whole and at least 0; null for anything else. */
export function countIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
