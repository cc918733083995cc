import { readingOf } from './read-text';

const FORBIDS =
  /\b(?:forb[ai]d\w*|prohibit\w*|disallow\w*|bann?ed|illegal|un(?:supported|available|safe|lawful|able)|deprecated|obsolete|removed|deni(?:ed|es)|refuse[sd]?|reject(?:s|ed)?|ignore[sd]?|exclud\w+|except(?:ed|ing)?|exempt\w*|avoid\w*|fail(?:s|ed)?|lacks?|missing|verboten|untersagt|nicht|kein\w*)\b/i;

/** Whether a text denies or forbids something, so that the text below it may mean the opposite. May be Markdown. */
export function forbids(text: string): boolean {
  return FORBIDS.test(text) || readingOf(text.replace(/[*_`]/g, '')).polarity.negations.length > 0;
}
