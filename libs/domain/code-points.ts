/** The length of a text as JSON Schema and readers count it: a surrogate pair is one character. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
