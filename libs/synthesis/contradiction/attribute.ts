import { sameDates } from './dates';
import type { Attribute, Reading, Wording } from './reading';

/** What a thing has one of. Its value is a name. */
const NAMED =
  'capital|headquarters|birthplace|author|composer|inventor|discoverer|founder|patron saint|national anthem|largest city|highest mountain|longest river';
/** What a thing has one of. Its value can be any word. */
const WORDED = 'default|official language|currency|symbol';
const ATTRIBUTE = String.raw`(?:[\p{L}-]+\s+){0,3}(?:${NAMED}|${WORDED})\b`;
const IS = String.raw`\s+(?:is|are|was|were)\s+`;
const HAS_ATTRIBUTE = new RegExp(String.raw`\b(?:${NAMED}|${WORDED})\b`, 'i');
const FORMS = [
  new RegExp(String.raw`^(?:the\s+)?(?<attribute>${ATTRIBUTE}[^,;]*?)${IS}(?<value>[^,;.]+)\.?$`, 'diu'),
  new RegExp(String.raw`^(?<value>[^,;]+?)${IS}the\s+(?<attribute>${ATTRIBUTE}[^,;.]*)\.?$`, 'diu'),
];
const IS_WORDED = new RegExp(String.raw`\b(?:${WORDED})\b`, 'i');
const LONGEST_NAME = 4;

/** "The capital of Australia is Canberra": one thing has one such attribute. */
export function differInAttribute(left: Reading, right: Reading): boolean {
  const [mine, yours] = [left.attribute(), right.attribute()];
  if (!mine || !yours || left.isNegated || right.isNegated || !sameDates(left.dates, right.dates)) return false;
  const sameAttribute = mine.attribute.size === yours.attribute.size && mine.attribute.isSubsetOf(yours.attribute);
  return sameAttribute && mine.value.isDisjointFrom(yours.value);
}

export function attributeOf({ text, words }: Wording): Attribute | null {
  if (!HAS_ATTRIBUTE.test(text)) return null;
  const groups = FORMS.map((form) => form.exec(text)?.indices?.groups).find((found) => found !== undefined);
  const { attribute, value } = groups ?? {};
  if (!attribute || !value) return null;
  const wordsIn = ([start, end]: [number, number]) => words.filter((word) => word.start >= start && word.end <= end && !word.isStopWord);
  const filling = wordsIn(value);
  const isValue = IS_WORDED.test(text.slice(...attribute)) ? filling.length === 1 : filling.every(({ isName }) => isName);
  if (filling.length === 0 || filling.length > LONGEST_NAME || !isValue) return null;
  return { attribute: new Set(wordsIn(attribute).map(({ stem }) => stem)), value: new Set(filling.map(({ stem }) => stem)) };
}
