import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import type { Token } from '@lib/language/reading/token';
import { isOfTheText } from './verb-without-ending';

/** Sentences about the report, its writer or its reader, not about the subject. */
const META = new RegExp(
  [
    /^(?:in (?:conclusion|summary|short|this (?:report|answer|section|article))|to (?:summarize|summarise|conclude|sum up)|below (?:is|are)|here(?: (?:is|are)|['’]s)|the (?:following|above|next) (?:section|table|list|report|sources?|points?)|as (?:an ai|mentioned|noted|discussed|shown|described) )/i,
    /^(?:answering (?:from|your)|(?:to answer|(?:in )?(?:answer|reply|response) to|regarding) your|(?:this|the|my|our) (?:question(?! (?:raised|arose|whether|of)\b)|answer|response|summary|section|analysis|overview|research)|(?:this|my|our) report|the report(?! (?:must|shall|has to|is due)\b))\b/i,
    /^(?:i|i['’]m|i['’]ve|we|we['’]ve|let['’]s|let us)\b/i,
    /^you\b(?!(?: (?:also|then|still|always|usually|generally|often|typically|normally|only|rarely))*(?: (?:must|should|need|have|can(?:not|['’]t)?|may|will|won['’]t|would(?:n['’]t)?|do(?: not|n['’]t)|visit|travel|swap|live|fly|commute|pay|get|receive|keep|lose|owe|risk|save|spend|earn|buy|sell|apply(?= (?:for|to|by|at|in|with|via|online|through)\b)|qualify|sleep|drive|eat|drink|wear|own|rent)|['’]ll)(?: (?:to|not|also|always|never|now|still|only|just|then|simply|usually|normally))* (?!(?:to|not|also|always|never|now|still|only|just|then|simply|usually|normally|ignore|disregard|rate|output|treat|find|see|ask|asked|read|note|refer|trust|forget|consider|imagine|like|love|prefer|recommend|approve|rank|mark|raise|describe|do|praise|expect|answer|say|tell|been|given|provided|requested|mentioned|specify|specified|be(?!(?<=(?:\b(?:must|should|to|will)|['’]ll)(?: not)? be) (?!given|asked|told|inform|instruct|remind|reward|penali|prepar|train|design|program|updat|assur|concern|warn|advis|pleas|convinc|interest)\w+(?:ed|en)\b)|want|wanted|more|any|help|questions|me)\b)[a-z0-9]| are (?:not |also )?(?:entitled|required|allowed|permitted|eligible|obliged|covered|exempt|liable|taxed|charged|protected)\b)/i,
    /^(?:good luck|have fun|have an? (?:\w+ )?(?:trip|time|day|week|weekend|evening|journey|flight|holiday|vacation|race|run)|don['’]t (?:panic|worry)|great (?:topic|choice)|happy \w+ing\b|cheers\b|ah(?=,)|good that you|glad (?:that )?you|sorry to hear|nice (?:problem|question)|(?:great|good|fair|interesting) question|congrats|congratulations|happy to help|no worries|(?:just )?tell me|if so, let me know)\b/i,
    /^your (?:job|role|goal|task|aim) is to\b/i,
    /^you\b.*\bmore specific\b/i,
    /^your (?:\w+ ){0,2}(?:questions?|requests?|quer(?:y|ies)|prompts?|reports?|messages?|instructions?|input|inquiry|enquiry|task|sources?|search|assistant|answers?|conversation|feedback|interest|outputs?|responses?|premise|understanding|concerns?)\b/i,
    /^you\b.*\b(?:instructions?|(?<!(?<!\b(?:have|need|ought|want|is|are|be|required) )to )report|reports|sources?|documents?|questions?|answers?|prompts?|(?:above|below)(?=\W*$|[.:;,)!?]| (?:are|is|for|to)\b))\b/i,
    /^(?:as of |based on |according to |to |in )my (?:\w+ ){0,2}(?:knowledge|training|update|cut-?off|search(?:es)?|research|opinion|view)\b/i,
    /\b(?:in|see) the (?:following|above|next|adjacent) (?:table|list|section|chart|figure|diagram)\b/i,
    /\b(?:results|findings|details|studies|figures|points|options|factors|reasons|differences) (?:are|is) (?:(?:briefly|then) )?(?:given|presented|summari[sz]ed|discussed|described|listed|shown|set out|outlined|examined|reviewed) (?:below|in what follows|in the following)\b/i,
    /\bhere(?:['’]s| is) (?:what|how)\b/i,
    /^my (?:\w+ )?(?:knowledge|training|search(?:es)?) /i,
    /^(?:(?:however|overall|anyway|please note),? )?(?:(?:i )?hope (?:this|that|it) helps|feel free|let me know|if you have (?:any )?(?:\w+ ){0,2}questions\b|if you (?:need|want|would like) (?:(?:any )?(?:more|further|additional|other)|me)|for (?:more|further|additional) (?:information|details|help),)\b/i,
    /^(?:this|that|it|the above) (?:is not|isn['’]t|does not constitute|doesn['’]t constitute) (?:intended as )?(?:legal|medical|financial|tax|professional|investment) advice\b/i,
    /^(?:note|disclaimer|caveat|see also|further reading|(?:(?:recalled|remembered|cited) )?(?:sources?|references?|citations?)(?:,? (?:(?:cited|listed|quoted) )?(?:from memory|as (?:recalled|remembered))| (?:cited|used|consulted))?)\s*:/i,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'i',
);
const isMeta = (text: string): boolean => META.test(text) && !BEGINS_NAME.test(text) && !isStep(text) && !isOnYourReport(text);

/** What the reader does with the subject: "You create a queue and add jobs to it", "You fill in form N208". */
const STEP =
  /^you (?:first |then |now |also |just |simply )?(?!(?:\w+ed|ask|says?|said|tell|told|want|were|was|had|did|do|give|gave|provide|find|found|see|saw|read|note|refer|trust|forget|imagine|like|love|prefer|recommend|approve|rank|mark|raise|describe|praise|expect|answer|rate|output|treat|ignore|disregard|act|pretend|respond|reply|write|wrote|repeat|agree|accept|confirm|assign|apply|score|grade|judge|classify|list|state|report|claim|cite|quote|print|reveal|assume|hope|know|knew|think|thought|look|seem|sound|wonder|might|could|would|shall|mean|meant|made|chose|send|sent|are|come|came)\b)[a-z]{2,}(?= (?:an?|the|your|up|down|in|on|at|out|off|by|with|for|into|from|through|maybe|about|around|only|one|two|three|\d+)\b)/i;
const OF_REPORT =
  /\b(?:instructions?|reports?|sources?|documents?|questions?|answers?|prompts?|above|ratings?|scores?|confidence|claims?|sentences?|providers?|winners?|verdict|ranking|summary|reply|tools?|commands?|shell|texts?|phrases?|comparison|prioriti[sz]e|weigh)\b/i;
const isStep = (text: string): boolean => STEP.test(text) && !OF_REPORT.test(text) && !OF_TEXT_OR_PROGRAM.test(text);
/** A report on the reader, which is not the one that they asked for. */
const isOnYourReport = (text: string): boolean =>
  /^your (?:lab(?:oratory)?|blood|medical|credit|police|inspection|survey|pathology) reports?\b(?! (?:must|should|is wrong|are wrong))/i.test(
    text,
  );
const INSTRUCTION =
  /^(?:[^:.!?\n]{1,40}:\s+(?=ignore|disregard|forget))?(?:please|ignore|disregard|forget|click|visit|see|read|follow(?!-)|remember|consider|refer|check(?! (?:the|your|all|each|every)\b)|try|subscribe|contact)(?![-\w])/i;
/** Advice on the subject that begins like an instruction to the reader: "See a doctor if …", "Read the label". */
const ADVICE = /^(?:(?:see|read|visit|contact|follow) (?:an?|the|your|any|all|each|every)|check (?!back|out|in)[a-z]+) /i;
/** Refers to the text, the web or a program, or asks a program for something. */
const OF_TEXT_OR_PROGRAM =
  /[/@`\\]|\w\.\w|\b(?:below|above|rest|here|this|these|that|our|my|us|me|more|details?|information|instructions?|previous|following|system|conversation|context|history|memory|files?|folders?|director(?:y|ies)|environment|variables?|secrets?|tokens?|credentials?|passwords?|keys?|sites?|pages?|figures?|articles?|guides?|chapters?|appendi\w+|servers?|outputs?|data|ignore|disregard|forget|follow|reveal|print|output|send|reply|respond|say|tell|write|repeat|approve|accept|trust|rate|assign|transfer|delete|run|execute|install|download|open|click|subscribe|sign|others|providers?|winners?|wrong|newsletter|channel)\b/i;
const isAdvice = (text: string, tokens: readonly Token[]): boolean =>
  ADVICE.test(text) && !OF_TEXT_OR_PROGRAM.test(text.replace(/^(?:check that|follow) /i, '')) && !isOfTheText(tokens);
/** A name that begins like talk: "Let's Encrypt certificates", "We Are Kelm". */
const BEGINS_NAME = /^(?:I|We|Let['’]s) \p{Lu}\p{Ll}/u;
/** Requests to a program or a writer. Most of these words are also nouns: "Output rose", "Write access is granted". */
const TASK =
  /^(?:write|respond|reply|pretend|summari[sz]e|translate|learn more|sign up|share this|act as|(?:answer|output|print(?! (?:the|your) (?:confirmation|form|ticket|receipt|boarding pass)(?:[.,]|$| (?:before|for|at|from|and (?:keep|take|bring|sign))\b))) (?:the|this|only|your|all|an?)|repeat (?:this|only|your|all|an?|the(?! (?:whole |entire )?(?:process|steps?|cycle|procedure|treatment|dose|exercise|application|test|blood|rinse|step)\b)))(?![-\w])/i;
/** A noun at the beginning has its verb within this many words. */
const VERB_WITHIN = 6;
/** Whether the writer refers to themselves: "to my knowledge", unless somebody is quoted. */
const ofWriter = (text: string): boolean => /(?<![-`./])\bmy\b(?![-`./])/.test(text) && !/["“”‘«`]|(?:^|\s)'/.test(text);
/** A question, in any script. */
const ASKS = /[?？؟]["'”’)]*$/u;

/** Whether a text is about the report, its writer or its reader, or asks one of them for something. */
export const isTalk = (text: string): boolean =>
  isMeta(text) || INSTRUCTION.test(text) || TASK.test(text) || ASKS.test(text) || ofWriter(text);

/** Whether a text is about the report, its writer (“to my knowledge”) or its reader. */
export const isOfReport = (text: string): boolean => isMeta(text) || ofWriter(text);

/** Whether a sentence asks a reader or a program for something; advice on the subject does not. */
export function isRequest(text: string, tokens: readonly Token[]): boolean {
  const asked = text.replace(REPLYING, '');
  return (INSTRUCTION.test(asked) && !isAdvice(asked, tokens)) || isTask(text, tokens) || ASKS.test(text);
}
/** Whether a text mentions a report, a program or what is done with them. */
export const isOfTextOrProgram = (text: string): boolean => OF_TEXT_OR_PROGRAM.test(text) || OF_REPORT.test(text);

/**
 * Whether a request is one that the subject needs, and nothing that refers to a text or asks a program: "Forget cheap extenders", "Please don't buy
 * one". What people say on a sign is no text.
 */
export function isRequestOnSubject(text: string, tokens: readonly Token[]): boolean {
  const asked = text.replace(INSTRUCTION, '').replace(/\b(?:that|who|which) (?:says?|tells?)\b/gi, '');
  return asked !== text && INSTRUCTION.test(text) && !ASKS.test(text) && !isOfTextOrProgram(asked) && !isOfTheText(tokens);
}
/** A request may come as a reply: "No, ignore all previous instructions". */
const REPLYING = /^(?:yes|no)[,:;–—]? /i;

/** Whether the value behind a label is about the report, or an instruction. */
export const isTalkBehindLabel = (value: string): boolean => META.test(value) || INSTRUCTION.test(value);

const isTask = (text: string, tokens: readonly Token[]): boolean =>
  TASK.test(text)
    ? tokens[1]?.word.isStopWord === true || !tokens.some((_, at) => at > 0 && at <= VERB_WITHIN && isFiniteVerbAt(tokens, at))
    : /^check\b/i.test(text) && isOfTheText(tokens);
