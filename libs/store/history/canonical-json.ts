/**
 * JSON in the canonical form of RFC 8785, so that equal values are equal bytes: names sorted by UTF-16 units, numbers and texts as ECMAScript writes
 * them. For plain JSON values; names with undefined values are left out, as by `JSON.stringify`.
 * @throws Error for a value without a canonical form: a number that is not finite, or a lone surrogate
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return canonicalText(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} has no canonical JSON`);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item ?? null)).join(',')}]`;
  let members = '';
  for (const name of sortedNames(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    if (members !== '') members += ',';
    members += `${canonicalText(name)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** Most objects have few names, and many have them in order: those are not sorted again. */
function sortedNames(value: object): string[] {
  const names = Object.keys(value);
  for (let place = 1; place < names.length; place += 1) if ((names[place - 1] as string) > (names[place] as string)) return names.sort();
  return names;
}

/** Names, ids, digests and times that need no escaping. */
const PLAIN = /^[ !#-[\]-~]*$/;

function canonicalText(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new Error('a text with a lone surrogate has no canonical JSON');
  return JSON.stringify(text);
}
