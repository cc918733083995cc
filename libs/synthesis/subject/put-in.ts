import { APOSTROPHE } from '@lib/language/reading/characters';
import { Reading } from '@lib/language/reading/reading';

/** "Charles’s": it tells whose something is. */
export const isPossessive = (name: string): boolean => /['’]s?$/.test(name);

/** A name as it stands in the place of a pronoun: "its". */
export function possessive({ text, tokens }: Reading): Reading {
  if (isPossessive(text)) return new Reading(text, tokens);
  const owner = tokens.map((token, at) => (at === tokens.length - 1 ? { ...token, after: token.after | APOSTROPHE } : token));
  return new Reading(`${text}${text.endsWith('s') ? '’' : '’s'}`, owner);
}

/** "In 1990 the barracks were sold. They …" goes on with "The barracks". */
export function atBeginning(name: Reading): Reading {
  return /^(?:the|an?) /.test(name.text) ? new Reading(name.text.charAt(0).toUpperCase() + name.text.slice(1), name.tokens) : name;
}

/** Its article is small unless it begins the sentence. */
export function insideSentence(name: Reading): Reading {
  return /^(?:The|An?) /.test(name.text) ? new Reading(name.text.charAt(0).toLowerCase() + name.text.slice(1), name.tokens) : name;
}
