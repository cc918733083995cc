const NO_WORD = /[^\p{L}\p{N}\p{M}]+/u;

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether a text has every word of a query, in any order, as a word or at its beginning; case and width of letters do not matter. */
export function saysAll(text: string, query: string): boolean {
  const said = ` ${folded(text)}`.split(NO_WORD);
  const words = folded(query).split(NO_WORD).filter(Boolean);
  // A query without words is searched for literally.
  if (words.length === 0) return folded(text).includes(folded(query).trim());
  return words.every((word) => said.some((other) => other.startsWith(word)));
}
