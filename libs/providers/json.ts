import { isJsonObject, type JsonObject } from '@lib/domain/json-object';

import { ProviderError } from './research-provider';

/** @throws ProviderError `malformed` if the text is no JSON object */
export function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ProviderError('malformed', 'The response is not JSON', {}, { cause: error });
  }
  if (!isJsonObject(value)) throw new ProviderError('malformed', 'The response is not a JSON object');
  return value;
}

/** The object, or an empty one instead of anything else. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The objects of a list; empty instead of anything else. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The text; null for an empty one and for anything else. */
export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The whole number of at least 0; null for anything else. */
export function countIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
