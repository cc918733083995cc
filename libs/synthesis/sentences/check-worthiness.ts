import { verbCertainty } from '@lib/language/known-words';
import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { ARTICLES_AND_POSSESSIVES, PREPOSITIONS } from '@lib/language/reading/function-words';
import { beginsNameLikePronoun } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { copulaBehindIt, isCleft } from './cleft';
import { isLabelledValue } from './labelled-value';
import { endsInAuxiliary, standsForOthers } from './stands-for-others';
import { BETWEEN_CELLS } from './quotes';
import { isOfReport, isRequest } from './talk';
import { isVerdict } from './verdict';
import { hasPlainVerb, hasVerbInS, isImperative, isOfTheText } from './verb-without-ending';

const MIN_WORDS = 4;
/** A table row has two cells at least: "Length | 636 km". */
const MIN_WORDS_OF_ROW = 2;
const MAX_WORDS = 120;
/**
 * A letter of another script counts as much as this many Latin ones: a Chinese sentence may spend more letters on Latin names than on its statement.
 */
const OTHER_LETTERS_WEIGH = 3;

/** “Many say that it was Tesla. That is wrong.” Without the second sentence the first would be the report's own statement. */
const DENIES_WHAT_IS_SAID =
  /^(?:that|this|it|which)(?:['’]s| is| was)(?: (?:simply|just|plainly|quite))* (?:wrong|false|incorrect|untrue|nonsense|a myth|(?:not|not quite|only partly) (?:true|right|correct))[.!]$/i;

/** Phrases before an answer that only introduce it: "To answer your question, …", "In short: …", "Here's the thing: …". */
const LEAD =
  /^(?:(?:to answer (?:your|the) question|answering (?:your|the) question|(?:in (?:answer|reply|response) to|regarding) your question|in answer to the question)[:,]|(?:(?:in (?:short|sum|summary|brief|conclusion|a nutshell)|to (?:summarize|summarise|sum up|conclude)|(?:the )?(?:(?:short|quick|honest|simple|plain) (?:answer|version)|bottom line)(?: is)?|tl;?dr)(?:[:,]| [–—-])|(?:(?:one|an?|the (?:main|only|big)) )?caveat:|(?:please )?note:|here(?:['’]s| is) (?:the|an?|some|one) (?:thing|deal|gist|short version|long version|(?:short |quick )?answer|upshot|bottom line|catch|kicker|rule of thumb|fun fact|(?:good|bad|sad|great) news|detail i (?:love|like)):))\s+(?=\S)/i;

/** The offset at which the answer in a sentence begins. */
export const answerStart = (sentence: string): number => LEAD.exec(sentence)?.[0].length ?? 0;

/** The rest of a sentence whose beginning was lost: ", and is the founder of …", "(later renamed …)". */
const REMAINDER = /^(?:[,;:)]|\((?=\p{Ll}))/u;
/** The sentence cannot be understood without the one before it. "That the lake is salty" is a subject of its own. */
const LEANING =
  /^(?:for (?:example|instance)|it(?!(?: (?:is|was|has been)|['’]s) (?:(?:\w+ ){0,2}(?:that|to|whether|for)|a \w+ (?:idea|mistake) to)\b)|its|he|she|his|her|they|their|them|this|that(?! (?:the|an?|there)\b)|these|those(?! (?:who|whose|with|without|aged|living|taking|under|over|in)\b)|such|here|but|and|or|so|then|also(?!,)|which|who|\w+ of (?:them|these|those))\b|^(?:(?:in|after|before|until|since|beyond|despite|because of|as a result of) (?:that|this)(?: (?:case|event|date|point))?|if so|if not|otherwise),/i;
const HEDGE =
  /\b(?:may|might|perhaps|possibly|probably|likely|reportedly|allegedly|seems?|appears?|some (?:say|believe|argue)|could be)\b/i;

/** The data by which the worth of a sentence is judged. */
export interface Candidate {
  text: string;
  reading: Reading;
  isTableRow: boolean;
  /** It is a list item, which often has no full stop. */
  isItem: boolean;
  hasCitation: boolean;
  /** It contains code. */
  hasCode: boolean;
}

/** Whether a sentence states something about the subject, can be understood on its own, and is worth checking. */
export const isCheckWorthy = (candidate: Candidate): boolean => statesSomething(candidate) && !leansOnOthers(candidate);

/** Whether a sentence states something about the subject, even if it needs the sentences before it. */
export function statesSomething({ text, reading, isTableRow, isItem, hasCitation, hasCode }: Candidate): boolean {
  const { tokens } = reading;
  const isLabelled = !isTableRow && isLabelledValue(text, reading, isItem);
  if (DENIES_WHAT_IS_SAID.test(text)) return true;
  const least = isTableRow ? MIN_WORDS_OF_ROW : MIN_WORDS;
  if (
    (tokens.length < least && !isLabelled && !isOfThreeWords(tokens, hasCitation, text.startsWith('['))) ||
    (tokens.length > MAX_WORDS && !isTableRow)
  )
    return false;
  if (isOfReport(text) && !isVerdict(text, tokens)) return false;
  if (isRequest(text, tokens) || REMAINDER.test(text)) return false;
  if (!tokens.some(({ word }) => !word.isStopWord && !word.hasDigit)) return false;
  if (text.endsWith(':') || text.endsWith('：')) return false;
  if (isTableRow) return hasCitation || reading.numbers.size > 0 || text.includes(BEHIND_HEAD) || text.includes(BETWEEN_CELLS);
  if (text.startsWith('|')) return false;
  if (isLabelled) return true;
  const isStopped = /[.!。．।۔]["'”’)\]]*$/u.test(text);
  const isSentence = hasCitation || isStopped || (isItem && isSentenceOfList(tokens));
  if (
    isSentence &&
    (copulaBehindIt(tokens, 0) === 0 ||
      tokens.some(({ word }) => word.verb.makesSentence) ||
      isImperative(tokens, hasCode) ||
      hasPlainVerb(tokens) ||
      (!isItem && mayHaveVerb(tokens)) ||
      !isInLatin(text))
  )
    return true;
  return isVerdict(text, tokens);
}

/**
 * Whether a word may be a verb, which suffices in prose that addresses nobody: "The well lay off the coast", "Both drugs produce weight loss". Before
 * another noun, behind a preposition and at the end it is more likely a noun: "The Kelm dam project", "The road to a fair deal for all".
 */
function mayHaveVerb(tokens: readonly Token[]): boolean {
  if (isOfTheText(tokens) || tokens.some(({ word }) => ADDRESSING.has(word.text))) return false;
  const preposition = tokens.findIndex(({ word }) => PREPOSITIONS.has(word.text));
  return tokens.some(({ word, isCapitalised }, at) => {
    const [before, next] = [tokens[at - 1]?.word, tokens[at + 1]?.word];
    if (at < 2 || isCapitalised || !before || BEFORE_NOUN.has(before.text)) return false;
    const certainty = verbCertainty(word.text);
    if (certainty !== 'verb or noun') return certainty === 'verb';
    return (preposition < 0 || at < preposition) && next !== undefined && (next.isStopWord || next.hasDigit || before.verb.endsInS);
  });
}

/** Whether it has neither a verb nor a label: a list item such as "Adults with chronic pain" needs the lead-in of its list. */
export function isVerbless({ text, reading, isItem, hasCode }: Candidate): boolean {
  const tokens = mainPart(reading.tokens);
  if (isLabelledValue(text, reading, isItem) || hasPlainVerb(tokens) || hasVerbInS(tokens) || isImperative(tokens, hasCode)) return false;
  return !tokens.some((token, at) => token.word.verb.isPastForm || isFiniteVerbAt(tokens, at));
}

/** A sentence without its condition and relative clause, whose verbs say nothing of it: "People with bipolar disorder, in whom it may trigger mania". */
function mainPart(tokens: readonly Token[]): readonly Token[] {
  if (SUBORDINATING.has(textAt(tokens, 0))) {
    const comma = tokens.findIndex((token, place) => place > 0 && hasCommaBefore(token));
    return comma < 0 ? [] : tokens.slice(comma);
  }
  const isOfAnyone = ANYONE.has(textAt(tokens, 0)) && textAt(tokens, 1) === 'who';
  const at = tokens.findIndex(
    (token, place) => SUBORDINATING.has(token.word.text) && (isOfAnyone || hasCommaBefore(token) || hasCommaBefore(tokens[place - 1])),
  );
  return at < 0 ? tokens : tokens.slice(0, at);
}
const SUBORDINATING = new Set('who whom whose which if unless when while because although'.split(' '));
const ANYONE = new Set('anyone anybody everyone everybody those'.split(' '));

/**
 * Whether a list item is a sentence such as "Enceladus has a global ocean", not a heading ("How the tax works", "Areas affected by the flood") or a
 * menu entry ("Open the main menu").
 */
function isSentenceOfList(tokens: readonly Token[]): boolean {
  if (BEGINS_HEADING.has(textAt(tokens, 0)) || tokens.some(({ word }) => OF_WRITER.has(word.text))) return false;
  return tokens.some((token, at) => {
    if (at === 0 || !isFiniteVerbAt(tokens, at)) return false;
    return token.word.verb.auxiliaryTense !== null || !token.word.verb.endsInEd || tokens[at + 1]?.word.isStopWord === false;
  });
}
const BEGINS_HEADING = new Set('how what why whether when where which who ways steps things items reasons tips'.split(' '));
const OF_WRITER = new Set(['i', 'we', 'my', 'our']);
const ADDRESSING = OF_WRITER.union(new Set("me us you your you're i'd i've".split(' ')));
const BEFORE_NOUN = ARTICLES_AND_POSSESSIVES.union(PREPOSITIONS).union(new Set(['to', 'and', 'or']));

/** Follows the head in a table cell: "Built-in sync | Kelm: yes | Ulm: no" is informative without a number. */
const BEHIND_HEAD = ': ';

/** Whether a sentence cannot be understood without its context. */
export const leansOnOthers = ({ text, reading, isTableRow }: Candidate): boolean =>
  !isTableRow &&
  ((LEANING.test(text) && !beginsNameLikePronoun(reading.tokens, 0) && !isCleft(reading.tokens, 0)) ||
    standsForOthers(reading.tokens) ||
    endsInAuxiliary(reading.tokens));

/**
 * Whether the question may tell what such a sentence is about: "It opened in 1962" and "Both work", but not "These work" or "So it opened". Of two
 * things asked about, "it" may be either.
 */
export const mayLeanOnQuestion = ({ text }: Candidate, question: string): boolean =>
  !GOING_ON.test(text) && !(/^its?\b/i.test(text) && BETWEEN_TWO.test(question));
const GOING_ON =
  /^(?:for (?:example|instance)|he|she|his|her|this|that|these|those|such|here|there|but|and|or|so|then|also|which|who|if so|if not|otherwise|\w+ of (?:them|these|those)|(?:in|after|before|until|since|beyond|despite|because of|as a result of) (?:that|this))\b|\b(?:above|below|mentioned|question)\b/i;
const BETWEEN_TWO = /\b(?:or|vs|versus)\b/i;

/**
 * Whether three words are a statement: "Kelm owns Zelin", with a citation, "Turnout was 66.2 %", "Parking is free" and "Seventy-two people died"
 * without one.
 */
function isOfThreeWords([subject, verb, object, ...others]: readonly Token[], hasCitation: boolean, isPutIn: boolean): boolean {
  if (!subject || !verb || !object || others.length > 0) return false;
  if (HAPPENING.has(object.word.text) && (subject.word.isAmount || (subject.isCapitalised && verb.isCapitalised))) return true;
  if (!verb.word.verb.makesSentence || verb.isCapitalised || !isContentWord(subject)) return false;
  // Not "Kelm is simpler", which leaves out than what.
  if (!isPutIn && FORMS_OF_BE.has(verb.word.text) && isContentWord(object) && !object.isCapitalised)
    return !object.word.text.endsWith('er');
  return object.word.hasDigit || (hasCitation && isContentWord(object));
}

/** Happens to people, and needs no other word. */
const HAPPENING = new Set('died survived drowned resigned retired escaped fled vanished won lost'.split(' '));

/** Whether a text is in Latin script, where an English verb can be required; a few Latin names do not count. */
function isInLatin(text: string): boolean {
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const others = text.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0;
  return latin > OTHER_LETTERS_WEIGH * others;
}

/** How much a check-worthy sentence is worth stating, for ranking; higher is better. */
export function worthOf({ text, reading, isTableRow, hasCitation }: Candidate): number {
  const { tokens, numbers, properWords } = reading;
  const length = tokens.length >= 8 && tokens.length <= 40 ? 1 : 0;
  const isOpen = HEDGE.test(text) ? 1 : 0;
  return (hasCitation ? 2 : 0) + (numbers.size > 0 ? 0.5 : 0) + (properWords.size > 0 ? 0.5 : 0) + length - isOpen - (isTableRow ? 1 : 0);
}
