/** Characters of a question that are searched for: of a longer one, which holds somebody's code, its beginning and its end. */
const [FROM_THE_BEGINNING, FROM_THE_END] = [2_000, 1_000];
export const MAX_SEARCHED = FROM_THE_BEGINNING + FROM_THE_END;

/** Without the word that a cut divides: "llo" is nothing that a document could mention. */
export function searchedPartOf(text: string): string {
  if (text.length <= MAX_SEARCHED) return text;
  const beginning = text.slice(0, FROM_THE_BEGINNING).replace(/\s\S{0,99}$/, '');
  return `${beginning}\n${text.slice(-FROM_THE_END).replace(/^\S{0,99}\s/, '')}`.toWellFormed();
}
