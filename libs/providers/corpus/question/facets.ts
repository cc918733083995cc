import { BEGINS_QUESTION, QUESTION_WORD } from '@lib/language/reading/function-words';
import { splitSentences } from '@lib/language/sentences';
import { isStopWord, words } from '@lib/language/tokens';

import { isKind } from './asked-words';
import { takesAsGiven } from './presumed';

/** The kind of answer a question wants, judged by its words; a `date` is a day or year of the calendar. */
export type Wanted = 'definition' | 'date' | 'time' | 'phone' | 'money' | 'amount' | 'default' | 'code' | 'list' | 'order' | 'anything';

/** One of several things that a question asks. */
export interface Facet {
  /** As it was asked, in one line. */
  text: string;
  /** What was said beside the question; empty if nothing was. */
  context: string;
  /** The kinds that its wording suggests, the surest first. */
  wanted: Wanted[];
  /** Whether it presupposes its subject: then documents on that subject mostly treat it, in whatever words. */
  isGiven: boolean;
}

const MAX_FACETS = 6;
/** In characters. A longer text counts as one question, because the search for divisions takes time quadratic in its length. */
const MAX_DIVIDED_LENGTH = 2_000;
/** Separates a further question in the same sentence. */
const FURTHER_QUESTION = new RegExp(String.raw`\s*(?:[;,]\s*(?:and|or|but)?|\band\b|\bor\b)\s+(?:also\s+)?(?=${BEGINS_QUESTION}\b)`, 'gi');
/** Words that refer to what was asked before. */
const REFERS_BACK = /\b(?:it|its|that|them|this|these|those)\b/i;
const VERB = '(?:is|are|was|were|does|do|did|can|could|should|will|would)';
const SUBJECT = '(?:i|we|you|it|they|there|this|that|these|those|the|an?|my|our|your|any|one)';
const BEGINS = String.raw`^\W*(?:(?:so|and|but|now|then)[,\s]+)?`;
const FOLLOWS = String.raw`(?:[,;:]\s*|\s[-–—]\s+)(?:(?:so|and|but)\s+)?`;
/** Many people leave out the question mark. But sentences with "when it rains", "which is old" or "is ignored here" are statements. */
const ASKS_UNMARKED = [
  String.raw`${BEGINS}(?:how|what(?!\s+(?:an?|i|we|you|they)\b)|where|which|who|whom|whose|why)\b`,
  String.raw`${BEGINS}when\s+${VERB}\b`,
  String.raw`${BEGINS}(?:is|are|does|do|did|can|could)\s+(?!not\b|nothing\b|(?:very|so|too|always|never|only|just|fine|slow|great|ok)\b|\w+(?:ed|ing)\b)`,
  String.raw`${BEGINS}should\s+(?![^,]*,\s*(?!or\b|and\b))`,
  String.raw`${FOLLOWS}(?:how|what|why)\b`,
  String.raw`${FOLLOWS}which\s+(?!${VERB}\b|has\b|have\b)(?:\w+\s+)?(?:options?|settings?|flags?|methods?|functions?|events?|hooks?|commands?|parameters?|arguments?|values?|one|package|plugin|version)\b`,
  String.raw`${FOLLOWS}(?:(?:when|where)\s+)?${VERB}\s+${SUBJECT}\b`,
].map((pattern) => new RegExp(pattern, 'i'));
/** If something is asked for in the imperative, that is the question, and the other sentences are context. */
const DEMANDS = new RegExp(
  String.raw`${BEGINS}(?:please\s+)?(?:tell (?:me|us)|explain|show(?: (?:me|us))?|describe)\s+(?:${QUESTION_WORD}|whether|if|the|an?|all)\b`,
  'i',
);
const LIST_MARK = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const BOTH = [
  /(?:^[\s"'“(]*|[.:,!]\s+|\b(?:please|to|you)\s+|\bthe\s+|\ba\s+)(?:compare|comparison (?:of|between)|differences? (?:between|of)|distinguish)\s+(?<first>[^?.;]+?)\s+(?:and|with|to|from|against|versus|vs\.?)\s+(?<second>[^?.;]+)/i,
  /^\s*(?:how|in what (?:way|respect)s?)\s+(?:does|do|is|are)\s+(?<first>[^?.;]+?)\s+(?:differ(?:ent)?|compared?)\s+(?:from|to|with)\s+(?<second>[^?.;]+)/i,
  /(?<first>[^?.;:,]+?)\s+(?:versus|vs\.?)\s+(?<second>[^?.;:,]+)/i,
];
/** A qualification at the end of the second side that applies to both sides of a comparison: `in Fastify`, `for small servers`. */
const COMMON = /\s+(?:in|for|on|under|within|when|regarding|with respect to)\s.*$/i;
const LEADING = /^\s*(?:(?:what|which|is|are|was|were|the|a|an|how|does|do|and|between)\s+)+/i;

/** The things that a question asks, in order: each of several questions, each side of a comparison, or the question itself. */
export function facetsOf(query: string): Facet[] {
  const { questions, statements } = sentencesOf(query);
  const asked = (questions.length > 0 ? questions : [query]).flatMap(questionsIn).map(oneLine);
  const said = questions.length > 0 ? statements.join(' ') : '';
  let subject = '';
  const facets = asked.flatMap((question) => {
    const sides = sidesOf(question);
    const before = refersBack(question) ? subject : '';
    // For a chain of references: "How do I turn it off?" after "How do I raise it?" refers to the subject of the first question, not to the second.
    subject = before || question;
    const context = [before, said].filter(Boolean).join(' ');
    const kind = kindOf(question);
    return sides.map((text) => ({ text, context, ...kind, ...(sides.length > 1 && { wanted: ['definition'] satisfies Wanted[] }) }));
  });
  const unique = new Map(facets.map((facet) => [`${facet.text}\n${facet.context}`.toLowerCase(), facet]));
  const kept = [...unique.values()].slice(0, MAX_FACETS);
  return kept.length > 0 ? kept : [{ text: oneLine(query), context: said, ...kindOf(query) }];
}

function sentencesOf(query: string): { questions: string[]; statements: string[] } {
  const lines = query.split(/\r?\n/).map((line) => line.replace(LIST_MARK, ''));
  const sentences = lines.flatMap((line) => splitSentences(line).map(({ text }) => text));
  const isMarked = (sentence: string): boolean => /[?？]["'”’)]*$/u.test(sentence);
  const demands = (sentence: string): boolean => DEMANDS.test(sentence);
  const asks = (sentence: string): boolean => ASKS_UNMARKED.some((pattern) => pattern.test(sentence));
  const isQuestion = [isMarked, demands].find((is) => sentences.some(is)) ?? asks;
  return { questions: sentences.filter(isQuestion), statements: sentences.filter((sentence) => !isQuestion(sentence)) };
}

/** The questions within one sentence. A part without content of its own ("and why?") stays with the one before it. */
function questionsIn(sentence: string): string[] {
  if (sentence.length > MAX_DIVIDED_LENGTH) return [sentence];
  const cuts = Array.from(sentence.matchAll(FURTHER_QUESTION)).filter(({ index }) => asksBefore(sentence.slice(0, index)));
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of [...cuts.map(({ index, 0: { length } }) => ({ start: index, end: index + length })), END]) {
    const part = sentence.slice(from, start);
    const last = parts.length - 1;
    if (last >= 0 && thingsIn(part).length === 0) parts[last] = `${parts[last]} and ${part}`;
    else parts.push(part);
    from = end;
  }
  return parts;
}

const END = { start: undefined, end: 0 };

/** Only splits after a question: "the port and when it changes" is a single one. */
function asksBefore(text: string): boolean {
  return new RegExp(String.raw`\b(?:${QUESTION_WORD}|is|are|does|do|did|can|could|should)\b`, 'i').test(text) && saysSomething(text);
}

function saysSomething(text: string): boolean {
  return words(text).some((word) => !isStopWord(word));
}

/** The words that say something about the subject. "Option" or "called" alone do not. */
function thingsIn(text: string): string[] {
  return words(text).filter((word) => !isStopWord(word) && !/'|^(?:called|named)$/.test(word) && !isKind(word));
}

/** "How do I raise it?" makes no sense without the question before it. */
const refersBack = (text: string): boolean => thingsIn(text).length < 2 && REFERS_BACK.test(text);

function sidesOf(question: string): string[] {
  if (question.length > MAX_DIVIDED_LENGTH) return [question];
  const found = BOTH.map((pattern) => pattern.exec(question)?.groups).find((groups) => groups !== undefined);
  const [first = '', second = ''] = [found?.first, found?.second];
  const common = COMMON.exec(second)?.[0] ?? '';
  const sides = [first, second.slice(0, second.length - common.length)].map((side) => oneLine(side.replace(LEADING, '')));
  if (!sides.every(saysSomething)) return [question];
  return sides.map((side) => `${side}${common}`.replace(/\?+$/, ''));
}

const IS_AMOUNT = /\bhow (?:many|much|long|often|large|big|fast|far|old)\b|\bwhat (?:number|amount|percentage|size|limit)\b/i;
const IS_PHONE = /\b(?:tele)?(?:phone|fax)(?: |-)?(?:numbers?|no\b)|\bnumber .{0,40}\b(?:call|phone|ring|dial|reach)\b/i;
const IS_MONEY =
  /\b(?:what|which|how (?:much|high|large|big))\b.{0,80}\b(?:costs?|prices?|fees?|fines?|deposits?|tax|rent|salary|wages?|allowances?|surcharges?|premiums?)\b|\bhow much (?:is|are|was|were) (?:the|an?|it|this|that|one)\b|\bhow much .{0,60}\b(?:pay|paid|charged?|money|get for)\b|\bwhat (?:do|does|did|must|will|would) .{0,60}\b(?:pay|charge)\b/i;
const IS_DATE =
  /\b(?:what|which) (?:year|date|day|month)\b|\bwhen (?:was|were|did)\b.*\b(?:released?|published?|appear(?:ed)?|founded|born|begun|begin|first)\b/i;
const IS_DEFAULT =
  /\bdefaults?\b|\b(?:if|when|unless|while) (?:I|you|we|one|nobody|nothing|none|no \w+)\b.{0,20}\b(?:no|not|nothing|don't|doesn't|none|isn't|is set|is given)\b|\bwithout (?:setting|configuring|any)\b|\bout of the box\b/i;
const IS_ORDER =
  /\b(?:in )?(?:what|which) order\b|\bbefore or after\b|\bin order(?! to\b)|\bstep by step\b|\b(?:what|which) (?:comes|runs|is run|is called) (?:first|last|before|after)\b|\bone after (?:the other|another)\b/i;
const IS_LIST =
  /\bsteps\b|^\W*(?:list|name|enumerate)\b|\b(?:what|which)(?: \w+){0,2} (?!does\b|is\b|was\b|has\b)\p{Ll}{2,}s (?!does\b|do I\b)|\bkinds of\b|\bwhat are (?:the|all)\b/iu;
const IS_CODE =
  /\bexamples?\b|\bshow me\b|\bsnippet\b|\bcode\?|\bhow (?:can|do|would|could|should) (?:I|you|we|one)\b|\bhow (?:is|are) .{1,200} (?:written|declared|configured|called)\b|\bwhat should my\b/i;

function kindOf(question: string): Pick<Facet, 'wanted' | 'isGiven'> {
  const wanted = wantedBy(question);
  return { wanted, isGiven: wanted.includes('order') || takesAsGiven(question) };
}

function wantedBy(text: string): Wanted[] {
  const kinds: [Wanted, boolean][] = [
    ['date', IS_DATE.test(text)],
    ['default', IS_DEFAULT.test(text)],
    ['time', /^\s*when\b|\b(?:what|which) time\b/i.test(text)],
    ['phone', IS_PHONE.test(text)],
    ['money', IS_MONEY.test(text)],
    ['amount', IS_AMOUNT.test(text)],
    ['order', IS_ORDER.test(text)],
    ['list', IS_LIST.test(text)],
    ['code', IS_CODE.test(text)],
    ['definition', /^\s*(?:what|who) (?:is|are|was|were|does)\b|^\s*define\b/i.test(text)],
  ];
  const told = kinds.filter(([, isTold]) => isTold).map(([kind]) => kind);
  return told.length > 0 ? told : ['anything'];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
