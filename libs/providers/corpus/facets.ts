import { splitSentences } from '@lib/language/sentences';
import { isStopWord, words } from '@lib/language/tokens';

/** The kind of answer a question wants, judged by its first words. */
export type Wanted = 'definition' | 'time' | 'amount' | 'anything';

/** One of several things that a question asks. */
export interface Facet {
  /** As it was asked, in one line. */
  text: string;
  wanted: Wanted;
}

const MOST_FACETS = 6;
const ASKS = String.raw`(?:how|what|when|where|which|who|whom|whose|why)`;
/** Separates a further question in the same sentence. */
const FURTHER_QUESTION = new RegExp(String.raw`\s*(?:[;,]\s*(?:and|or|but)?|\band\b|\bor\b)\s+(?:also\s+)?(?=${ASKS}\b)`, 'gi');
const LIST_MARK = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const BOTH = [
  /\b(?:compare|comparison (?:of|between)|differences? (?:between|of)|distinguish)\s+(?<first>[^?.;]+?)\s+(?:and|with|to|from|against|versus|vs\.?)\s+(?<second>[^?.;]+)/i,
  /^\s*(?:how|in what (?:way|respect)s?)\s+(?:does|do|is|are)\s+(?<first>[^?.;]+?)\s+(?:differ(?:ent)?|compared?)\s+(?:from|to|with)\s+(?<second>[^?.;]+)/i,
  /(?<first>[^?.;:,]+?)\s+(?:versus|vs\.?)\s+(?<second>[^?.;:,]+)/i,
];
/** What both sides of a comparison share follows the second one: `in Fastify`, `for small servers`. */
const COMMON = /\s+(?:in|for|on|under|within|when|regarding|with respect to)\s.*$/i;
const LEADING = /^\s*(?:(?:what|which|is|are|was|were|the|a|an|how|does|do|and|between)\s+)+/i;

/**
 * The things that a question asks, in order: each of several questions, each side of a comparison, or the question itself. Sentences that
 * are no questions only give context.
 */
export function facetsOf(query: string): Facet[] {
  const asked = askedIn(query);
  const facets = asked.flatMap(sidesOf);
  const unique = new Map(facets.map((text) => [text.toLowerCase(), text]));
  const texts = [...unique.values()].slice(0, MOST_FACETS);
  return (texts.length > 0 ? texts : [oneLine(query)]).map((text) => ({ text, wanted: wantedBy(text) }));
}

function askedIn(query: string): string[] {
  const lines = query.split(/\r?\n/).map((line) => line.replace(LIST_MARK, ''));
  const sentences = lines.flatMap((line) => splitSentences(line).map(({ text }) => text));
  const questions = sentences.filter((sentence) => /[?？]["'”’)]*$/u.test(sentence));
  return (questions.length > 0 ? questions : [query]).flatMap(questionsIn).map(oneLine);
}

/** The questions of one sentence. A part without content of its own ("and why?") stays with the one before. */
function questionsIn(sentence: string): string[] {
  const cuts = Array.from(sentence.matchAll(FURTHER_QUESTION)).filter(({ index }) => asksBefore(sentence.slice(0, index)));
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of [...cuts.map(({ index, 0: { length } }) => ({ start: index, end: index + length })), END]) {
    const part = sentence.slice(from, start);
    const last = parts.length - 1;
    if (last >= 0 && !saysSomething(part)) parts[last] = `${parts[last]} and ${part}`;
    else parts.push(part);
    from = end;
  }
  return parts;
}

const END = { start: undefined, end: 0 };

/** Splits only after a question: "the port and when it changes" is a single one. */
function asksBefore(text: string): boolean {
  return new RegExp(String.raw`\b(?:${ASKS}|is|are|does|do|did|can|could|should)\b`, 'i').test(text) && saysSomething(text);
}

function saysSomething(text: string): boolean {
  return words(text).some((word) => !isStopWord(word));
}

function sidesOf(question: string): string[] {
  const found = BOTH.map((pattern) => pattern.exec(question)?.groups).find((groups) => groups !== undefined);
  const [first = '', second = ''] = [found?.first, found?.second];
  const common = COMMON.exec(second)?.[0] ?? '';
  const sides = [first, second.slice(0, second.length - common.length)].map((side) => oneLine(side.replace(LEADING, '')));
  if (!sides.every(saysSomething)) return [question];
  return sides.map((side) => `${side}${common}`.replace(/\?+$/, ''));
}

function wantedBy(text: string): Wanted {
  if (/^\s*when\b|\b(?:what|which) (?:year|date|day|time)\b/i.test(text)) return 'time';
  if (/\bhow (?:many|much|long|often|large|big|fast|far|old)\b|\bwhat (?:number|amount|percentage|size|limit)\b/i.test(text))
    return 'amount';
  return /^\s*(?:what|who) (?:is|are|was|were|does)\b|^\s*define\b/i.test(text) ? 'definition' : 'anything';
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
