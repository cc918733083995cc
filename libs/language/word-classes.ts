import compromise from 'compromise';

const DESCRIBING = new Set(['Verb', 'Adjective', 'Adverb']);

/** The verbs, adjectives and adverbs of an English text, in lower case. */
export function describingWords(text: string): ReadonlySet<string> {
  const sentences = compromise(text).json() as { terms: { normal: string; tags: string[] }[] }[];
  const terms = sentences.flatMap((sentence) => sentence.terms);
  return new Set(terms.filter(({ tags }) => tags.some((tag) => DESCRIBING.has(tag)) && !tags.includes('Noun')).map(({ normal }) => normal));
}
