/** How many characters of a long question are searched for at its beginning and its end; the middle is usually somebody's code. */
const [FROM_THE_BEGINNING, FROM_THE_END] = [2_000, 1_000];
export const MAX_SEARCHED = FROM_THE_BEGINNING + FROM_THE_END;

/** Removes the halves of words at the cuts: no document could mention "llo". */
export function searchedPartOf(text: string): string {
  if (text.length <= MAX_SEARCHED) return text;
  const beginning = text.slice(0, FROM_THE_BEGINNING).replace(/\s\S{0,99}$/, '');
  return `${beginning}\n${text.slice(-FROM_THE_END).replace(/^\S{0,99}\s/, '')}`.toWellFormed();
}
