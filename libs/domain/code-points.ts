/** A text's length in Unicode code points, as JSON Schema counts it: a surrogate pair is one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
