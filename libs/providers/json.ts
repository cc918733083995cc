import { ProviderError } from './research-provider';

/** A JSON object of which nothing is known yet: anybody could have written it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws ProviderError `malformed` for a text that is no JSON object */
export function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ProviderError('malformed', 'The response is not JSON', {}, { cause: error });
  }
  if (!isObject(value)) throw new ProviderError('malformed', 'The response is not a JSON object');
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one in place of anything else. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list; empty in place of anything else. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text, or null for anything else and for an empty one. */
export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The whole number from 0, or null for anything else. */
export function countIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
