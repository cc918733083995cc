import { isJsonObject } from '@lib/domain/json-object';

/** A message as it came over the wire: each reader of a field throws `MalformedMessage`, which names it. */
export type Fields = Record<string, unknown>;

export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

export function asRecord(value: unknown, name: string): Fields {
  if (isJsonObject(value)) return value;
  throw new MalformedMessage(`${name} is not an object`);
}

export function text(fields: Fields, name: string, longest: number, pattern = /^[^\0]*$/): string {
  const value = fields[name];
  if (typeof value !== 'string' || value.length > longest || !pattern.test(value) || !value.isWellFormed()) {
    throw new MalformedMessage(`${name} is not a text of that form`);
  }
  return value;
}

export function count(fields: Fields, name: string, most = 2 ** 31 - 1): number {
  const value = fields[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  throw new MalformedMessage(`${name} ${shown(value)} is not a whole number from 0 to ${most}`);
}

export function oneOf<Value extends string>(values: readonly Value[], fields: Fields, name: string): Value {
  const value = values.find((other) => other === fields[name]);
  if (value === undefined) throw new MalformedMessage(`${name} ${shown(fields[name])} is none of ${values.join(', ')}`);
  return value;
}

export const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);
