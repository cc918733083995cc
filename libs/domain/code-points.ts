/** How long a text is to JSON Schema, and to who reads it: a pair of surrogates is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
