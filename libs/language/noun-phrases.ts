import compromise from 'compromise';

const ARTICLE = /^(?:an?|the|its?|his|her|their|our|your|this|that|these|those|some|any|each|every|all|other|several|many)\s+/i;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

/** The things named in an English sentence, in order: nouns with the adjectives before them, without articles and punctuation. */
export function nounPhrases(sentence: string): string[] {
  const found = compromise(sentence).match('#Adjective? #Noun+').not('#Pronoun').out('array') as string[];
  return found
    .map((phrase) =>
      phrase
        .replace(ARTICLE, '')
        .replace(/['’]s$/, '')
        .replace(EDGES, ''),
    )
    .filter((phrase) => !/[\s(]\S*[([{]|[;:,]/.test(phrase) && phrase.length > 2 && isWhole(phrase, sentence));
}

/** Whether a phrase is not cut out of a hyphenated word, where the tagger splits words: "negative number" from "non-negative number". */
function isWhole(phrase: string, sentence: string): boolean {
  const start = sentence.indexOf(phrase);
  if (start < 0) return true;
  return !/[\p{L}\p{N}]-$/u.test(sentence.slice(0, start)) && !/^-[\p{L}\p{N}]/u.test(sentence.slice(start + phrase.length));
}
