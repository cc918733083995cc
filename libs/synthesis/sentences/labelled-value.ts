import type { Reading } from '@lib/language/reading/reading';
import { isTalkBehindLabel } from './talk';

/**
 * Whether a line is a label with a value, like a table row, which needs neither verb nor full stop: "Revenue: $46.3 billion, down 10%" or, in a list,
 * "Side effects: nausea, tiredness" and "Kestrel 3 – 412 km, €31,900".
 */
export function isLabelledValue(text: string, { numbers }: Reading, isItem: boolean): boolean {
  const labelled = text.includes(':') ? (isItem ? LABEL_OF_ITEM : LABEL).exec(text) : null;
  const [whole, label] = labelled ?? (isItem && numbers.size > 0 ? ENTRY.exec(text) : null) ?? [];
  if (whole === undefined || label === undefined || label.split(' ').length > MAX_LABEL_WORDS || ABOUT_TEXT.test(label)) return false;
  if (labelled && ENDS_IN_NUMBER.test(label)) return false;
  const value = text.slice(whole.length);
  if (isTalkBehindLabel(value)) return false;
  return (numbers.size > 0 && /\p{N}/u.test(value.replace(IN_PARENTHESES, ''))) || (isItem && LISTS.test(value));
}
/** A list of two or more things, without an address. */
const LISTS = /^(?!.*(?:\/\/|@|\?))\p{L}[^.!?:;]*(?:, | and | or )\p{L}[^.!?:]*[.]?$/u;
const LABEL = /^((?:\p{Lu}|\p{N}+[-– ]\p{L})[^:.!?\n]{1,60}):\s+(?=\S)/u;
const LABEL_OF_ITEM = /^((?:\p{L}|\p{N}+[-– ]\p{L})[^:.!?\n]{1,60}):\s+(?=\S)/u;
/** A name and a dash before its values: "Kestrel 3 – 412 km, €31,900". */
const ENTRY = /^([\p{Lu}\p{N}][^:.!?,–—\n]{0,60}?)\s[–—-]\s+(?=\S)/u;
/** A label with only a name, such as "Case: Hartwell v. Meridian (2016)", states nothing. */
const IN_PARENTHESES = /\([^()]*\)/g;
/** Labels of information about a text, its parts or its reader. */
const ABOUT_TEXT =
  /^(?:(?:last )?(?:published|updated|modified|reviewed|retrieved|accessed|checked)|date|authors?|word count|reading time|model|doi|isbn|phone|e?-?mail|contact|copyright|pages?|next|questions?|system|instructions?|confidence|sources?|notes?|titles?|urls?|links?|tags?|keywords?|menu|contents|home|(?:table|figure|chapter|section|appendix|part|step)(?= \d))\b/i;
/** As of "Case 3: …"; a year tells when, and "p99" is a name. */
const ENDS_IN_NUMBER = /(?<![\p{L}\p{N}])(?!(?:19|20)\d\d$)\d+$/u;
/** In words. */
const MAX_LABEL_WORDS = 6;
