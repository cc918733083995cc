/**
 * JSON as RFC 8785 writes it, so that equal values are equal bytes: names sorted by UTF-16 units, numbers and texts as ECMAScript
 * writes them. For plain JSON values; a name whose value is undefined is left out, as `JSON.stringify` does.
 * @throws Error for what has no canonical form: a number that is not finite, or a lone surrogate
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} has no canonical JSON`);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item ?? null)).join(',')}]`;
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[name];
    if (member !== undefined) members += `${members === '' ? '' : ','}${canonicalText(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

function canonicalText(text: string): string {
  if (!text.isWellFormed()) throw new Error('a text with a lone surrogate has no canonical JSON');
  return JSON.stringify(text);
}
