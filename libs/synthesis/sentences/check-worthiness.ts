import { verbCertainty } from '@lib/language/known-words';
import { ARTICLES_AND_POSSESSIVES, PREPOSITIONS } from '@lib/language/reading/function-words';
import { beginsNameLikePronoun } from '@lib/language/reading/names';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { copulaBehindIt, isCleft } from './cleft';
import { endsInAuxiliary, standsForOthers } from './stands-for-others';
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

/** Phrases before an answer that only introduce it: "To answer your question, …", "In short: …", "Here's the thing: …". */
const LEAD =
  /^(?:(?:to answer (?:your|the) question|answering (?:your|the) question|(?:in (?:answer|reply|response) to|regarding) your question|in answer to the question)[:,]|(?:(?:in (?:short|sum|summary|brief|conclusion|a nutshell)|to (?:summarize|summarise|sum up|conclude)|(?:the )?(?:short answer|short version|bottom line)|tl;?dr)(?:[:,]| [–—-])|here(?:['’]s| is) (?:the|an?|some|one) (?:thing|deal|gist|short version|long version|(?:short |quick )?answer|upshot|bottom line|catch|kicker|rule of thumb|fun fact|(?:good|bad|sad|great) news|detail i (?:love|like)):))\s+(?=\S)/i;

/** The offset at which the answer in a sentence begins. */
export const answerStart = (sentence: string): number => LEAD.exec(sentence)?.[0].length ?? 0;

/** Sentences about the report, its writer or its reader, not about the subject. */
const META = new RegExp(
  [
    /^(?:in (?:conclusion|summary|short|this (?:report|answer|section|article))|to (?:summarize|summarise|conclude|sum up)|below (?:is|are)|here(?: (?:is|are)|['’]s)|the (?:following|above|next) (?:section|table|list|report|sources?|points?)|as (?:an ai|mentioned|noted|discussed|shown|described) )/i,
    /^(?:answering (?:from|your)|(?:to answer|(?:in )?(?:answer|reply|response) to|regarding) your|(?:this|the|my|our) (?:question(?! (?:raised|arose|whether|of)\b)|answer|response|summary|section|analysis|overview|research)|(?:this|my|our) report|the report(?! (?:must|shall|has to|is due)\b))\b/i,
    /^(?:i|i['’]m|i['’]ve|we|we['’]ve|let['’]s|let us)\b/i,
    /^you\b(?!(?: (?:must|should|need|have|can(?:not|['’]t)?|may|will|won['’]t|do(?: not|n['’]t)|pay|get|receive|keep|lose|owe|risk|save|spend|earn|buy|sell|apply(?= (?:for|to|by|online|through)\b)|qualify|sleep|drive|eat|drink|wear|own|rent)|['’]ll)(?: (?:to|not|also|always|never|now|still|only|just|then|simply|usually|normally))* (?!(?:to|not|also|always|never|now|still|only|just|then|simply|usually|normally|ignore|disregard|rate|output|treat|find|see|ask|asked|read|note|refer|trust|forget|consider|imagine|like|love|prefer|recommend|approve|rank|mark|raise|describe|do|praise|expect|answer|say|tell|been|given|provided|requested|mentioned|specify|specified|be(?!(?<=(?:\b(?:must|should|to|will)|['’]ll)(?: not)? be) (?!given|asked|told|inform|instruct|remind|reward|penali|prepar|train|design|program|updat|assur|concern|warn|advis|pleas|convinc|interest)\w+(?:ed|en)\b)|want|wanted|more|any|help|questions|me)\b)[a-z0-9]| are (?:not |also )?(?:entitled|required|allowed|permitted|eligible|obliged|covered|exempt|liable|taxed|charged|protected)\b)/i,
    /^your (?:job|role|goal|task|aim) is to\b/i,
    /^you\b.*\bmore specific\b/i,
    /^your (?:\w+ ){0,2}(?:questions?|requests?|quer(?:y|ies)|prompts?|reports?|messages?|instructions?|input|inquiry|enquiry|task|sources?|search|assistant|answers?|conversation|feedback|interest|outputs?|responses?|premise|understanding|concerns?)\b/i,
    /^you\b.*\b(?:instructions?|(?<!(?<!\b(?:have|need|ought|want|is|are|be|required) )to )report|reports|sources?|documents?|questions?|answers?|prompts?|above|below)\b/i,
    /^(?:as of |based on |according to |to |in )my (?:\w+ ){0,2}(?:knowledge|training|update|cut-?off|search(?:es)?|research|opinion|view)\b/i,
    /\b(?:in|see) the (?:following|above|next|adjacent) (?:table|list|section|chart|figure|diagram)\b/i,
    /\b(?:results|findings|details|studies|figures|points|options|factors|reasons|differences) (?:are|is) (?:(?:briefly|then) )?(?:given|presented|summari[sz]ed|discussed|described|listed|shown|set out|outlined|examined|reviewed) (?:below|in what follows|in the following)\b/i,
    /\bhere(?:['’]s| is) (?:what|how)\b/i,
    /^my (?:\w+ )?(?:knowledge|training|search(?:es)?) /i,
    /^(?:(?:however|overall|anyway|please note),? )?(?:(?:i )?hope (?:this|that|it) helps|feel free|let me know|if you have (?:any )?(?:\w+ ){0,2}questions\b|if you (?:need|want|would like) (?:(?:any )?(?:more|further|additional|other)|me)|for (?:more|further|additional) (?:information|details|help),)\b/i,
    /^(?:sources?|references?|citations?|note|disclaimer|caveat|see also|further reading)\s*:/i,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'i',
);
const isMeta = (text: string): boolean => META.test(text) && !BEGINS_NAME.test(text);
const INSTRUCTION =
  /^(?:[^:.!?\n]{1,40}:\s+(?=ignore|disregard|forget))?(?:please|ignore|disregard|forget|click|visit|see|read|follow(?!-)|remember|consider|refer|check(?! (?:the|your|all|each|every)\b)|try|subscribe|contact)(?![-\w])/i;
/** Advice on the subject that begins like an instruction to the reader: "See a doctor if …", "Read the label". */
const ADVICE = /^(?:(?:see|read|visit|contact) (?:an?|the|your|any|all|each|every)|check (?!back|out|in)[a-z]+) /i;
/** Refers to the text, the web or a program, or asks a program for something. */
const OF_TEXT_OR_PROGRAM =
  /[/@`\\]|\w\.\w|\b(?:below|above|here|this|these|that|our|my|us|me|more|details?|information|instructions?|previous|following|system|conversation|context|history|memory|files?|folders?|director(?:y|ies)|environment|variables?|secrets?|tokens?|credentials?|passwords?|keys?|sites?|pages?|figures?|articles?|guides?|chapters?|appendi\w+|servers?|outputs?|data|ignore|disregard|forget|follow|reveal|print|output|send|reply|respond|say|tell|write|repeat|approve|accept|trust|rate|assign|transfer|delete|run|execute|install|download|open|click|subscribe|sign)\b/i;
const isAdvice = (text: string, tokens: readonly Token[]): boolean =>
  ADVICE.test(text) && !OF_TEXT_OR_PROGRAM.test(text) && !isOfTheText(tokens);
/** A name that begins like talk: "Let's Encrypt certificates", "We Are Kelm". */
const BEGINS_NAME = /^(?:I|We|Let['’]s) \p{Lu}\p{Ll}/u;
/** Whether a text is about the report, its writer or its reader, or asks one of them for something. */
export const isTalk = (text: string): boolean =>
  isMeta(text) || INSTRUCTION.test(text) || TASK.test(text) || ASKS.test(text) || ofWriter(text);
/** Requests to a program or a writer. Most of these words are also nouns: "Output rose", "Write access is granted". */
const TASK =
  /^(?:write|respond|reply|pretend|summari[sz]e|translate|learn more|sign up|share this|act as|(?:answer|output|print) (?:the|this|only|your|all|an?)|repeat (?:this|only|your|all|an?|the(?! (?:whole |entire )?(?:process|steps?|cycle|procedure|treatment|dose|exercise|application|test)\b)))(?![-\w])/i;
/** A noun at the beginning has its verb within this many words. */
const VERB_WITHIN = 6;
/** The rest of a sentence whose beginning was lost: ", and is the founder of …", "(later renamed …)". */
const REMAINDER = /^(?:[,;:)]|\((?=\p{Ll}))/u;
/** Whether the writer refers to themselves: "to my knowledge", unless somebody is quoted. */
const ofWriter = (text: string): boolean => /(?<![-`./])\bmy\b(?![-`./])/.test(text) && !/["“”‘«`]|(?:^|\s)'/.test(text);
/** The sentence cannot be understood without the one before it. "That the lake is salty" is a subject of its own. */
const LEANING =
  /^(?:for (?:example|instance)|it(?!(?: (?:is|was|has been)|['’]s) (?:(?:\w+ ){0,2}(?:that|to|whether|for)|a \w+ (?:idea|mistake) to)\b)|its|he|she|his|her|they|their|them|this|that(?! (?:the|an?|there)\b)|these|those(?! (?:who|whose|with|without|aged|living|taking|under|over|in)\b)|such|here|but|and|or|so|then|also(?!,)|which|who|\w+ of (?:them|these|those))\b|^(?:(?:in|after|before|until|since|beyond|despite|because of|as a result of) (?:that|this)(?: (?:case|event|date|point))?|if so|if not|otherwise),/i;
const ASKS = /[?？؟]["'”’)]*$/u;
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
  const least = isTableRow ? MIN_WORDS_OF_ROW : MIN_WORDS;
  if ((tokens.length < least && !isLabelled && !isOfThreeWords(tokens, hasCitation)) || (tokens.length > MAX_WORDS && !isTableRow))
    return false;
  if ((isMeta(text) || ofWriter(text)) && !isVerdict(text, tokens)) return false;
  if ((INSTRUCTION.test(text) && !isAdvice(text, tokens)) || isTask(text, tokens) || ASKS.test(text) || REMAINDER.test(text)) return false;
  if (!tokens.some(({ word }) => !word.isStopWord && !word.hasDigit)) return false;
  if (text.endsWith(':') || text.endsWith('：')) return false;
  if (isTableRow) return hasCitation || reading.numbers.size > 0 || text.includes(BEHIND_HEAD);
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
  const { tokens } = reading;
  if (isLabelledValue(text, reading, isItem) || hasPlainVerb(tokens) || hasVerbInS(tokens) || isImperative(tokens, hasCode)) return false;
  return !tokens.some((token, at) => token.word.verb.isPastForm || isFiniteVerbAt(tokens, at));
}

const isTask = (text: string, tokens: readonly Token[]): boolean =>
  TASK.test(text)
    ? tokens[1]?.word.isStopWord === true || !tokens.some((_, at) => at > 0 && at <= VERB_WITHIN && isFiniteVerbAt(tokens, at))
    : /^check\b/i.test(text) && isOfTheText(tokens);

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

/**
 * Whether a line is a label with a value, like a table row, which needs neither verb nor full stop: "Revenue: $46.3 billion, down 10%" or, in a list,
 * "Side effects: nausea, tiredness" and "Kestrel 3 – 412 km, €31,900".
 */
function isLabelledValue(text: string, { numbers }: Reading, isItem: boolean): boolean {
  const labelled = text.includes(':') ? (isItem ? LABEL_OF_ITEM : LABEL).exec(text) : null;
  const [whole, label] = labelled ?? (isItem && numbers.size > 0 ? ENTRY.exec(text) : null) ?? [];
  if (whole === undefined || label === undefined || label.split(' ').length > MAX_LABEL_WORDS || ABOUT_TEXT.test(label)) return false;
  if (labelled && ENDS_IN_NUMBER.test(label)) return false;
  const value = text.slice(whole.length);
  if (META.test(value) || INSTRUCTION.test(value)) return false;
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

/** Whether a sentence cannot be understood without its context. */
export const leansOnOthers = ({ text, reading }: Candidate): boolean =>
  (LEANING.test(text) && !beginsNameLikePronoun(reading.tokens, 0) && !isCleft(reading.tokens, 0)) ||
  standsForOthers(reading.tokens) ||
  endsInAuxiliary(reading.tokens);

/**
 * Whether the question may tell what such a sentence is about: "It opened in 1962" and "Both work", but not "These work" or "So it opened". Of two
 * things asked about, "it" may be either.
 */
export const mayLeanOnQuestion = ({ text }: Candidate, question: string): boolean =>
  !GOING_ON.test(text) && !(/^its?\b/i.test(text) && BETWEEN_TWO.test(question));
const GOING_ON =
  /^(?:for (?:example|instance)|he|she|his|her|this|that|these|those|such|here|there|but|and|or|so|then|also|which|who|if so|if not|otherwise|\w+ of (?:them|these|those)|(?:in|after|before|until|since|beyond|despite|because of|as a result of) (?:that|this))\b|\b(?:above|below|mentioned|question)\b/i;
const BETWEEN_TWO = /\b(?:or|vs|versus)\b/i;

/** Whether three words are a statement: "Kelm owns Zelin", with a citation, "Turnout was 66.2 %" and "Seventy-two people died" without one. */
function isOfThreeWords([subject, verb, object, ...others]: readonly Token[], hasCitation: boolean): boolean {
  if (!subject || !verb || !object || others.length > 0) return false;
  if (HAPPENING.has(object.word.text) && (subject.word.isAmount || (subject.isCapitalised && verb.isCapitalised))) return true;
  if (!verb.word.verb.makesSentence || verb.isCapitalised || !isContentWord(subject)) return false;
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
