import { APOSTROPHE } from '@lib/language/reading/characters';
import { Reading } from '@lib/language/reading/reading';

/** Whether a name is possessive: "Charles’s". */
export const isPossessive = (name: string): boolean => /['’]s?$/.test(name);

/** The possessive form of a name, to replace "its". */
export function possessive({ text, tokens }: Reading): Reading {
  if (isPossessive(text)) return new Reading(text, tokens);
  const owner = tokens.map((token, at) => (at === tokens.length - 1 ? { ...token, after: token.after | APOSTROPHE } : token));
  return new Reading(`${text}${text.endsWith('s') ? '’' : '’s'}`, owner);
}

/** Capitalises an article at the beginning of a sentence: "The barracks" for "they" after "In 1990 the barracks were sold." */
export function atBeginning(name: Reading): Reading {
  return /^(?:the|an?) /.test(name.text) ? new Reading(name.text.charAt(0).toUpperCase() + name.text.slice(1), name.tokens) : name;
}

/** Lower-cases an article inside a sentence. */
export function insideSentence(name: Reading): Reading {
  return /^(?:The|An?) /.test(name.text) ? new Reading(name.text.charAt(0).toLowerCase() + name.text.slice(1), name.tokens) : name;
}
