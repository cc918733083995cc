/** The pronoun for the writer, at the beginning of a clause; not as in "Charles I". */
const I = String.raw`(?:(?:^|[,;:(—–] ?)(?:(?:but|and|that|so|because|as|though|although|while|however|unfortunately|sorry),? )*|\b(?:but|that|because|although) )i`;
const IN_VAIN = String.raw`(?:could not|couldn't|cannot|can not|can't|did not|didn't|do not|don't|(?:was|am|'m|were) (?:unable|not able) to|wasn't able to|failed to|have not been able to|haven't been able to)`;
/** A judgement, not a failed search: "I do not find this convincing". */
const JUDGED = String.raw`(?:this|that|it|these|those|them|the|his|her|its|their|such|either|both)\b[^,.:;]{0,60}? (?:convincing|persuasive|compelling|plausible|credible|believable|likely|surprising|satisfying|satisfactory|reasonable|justified|conclusive|useful|helpful|strong|sufficient|enough)(?=[,.:;!?]| (?:and|but|or|because|since|enough|either|yet)\b|$)`;
const FIND = '(?:find|locate|identify|verify|confirm|determine|retrieve|access|obtain|establish)';
const TELL = '(?:have|know|recall|provide|give|offer|answer|say|tell|assist|help|comply|discuss|share|write|create|browse)';
const FOUND = '(?:found|located|identified|returned|retrieved|available|provided)';

/** Words for the material of an answer: "no reliable sources", unlike "no water sources". */
const NOUN =
  '(?:information|sources?|documents?|documentation|pages?|articles?|websites?|passages?|references?|answers?|details|(?:search )?results?)';
const QUALITY =
  '(?:any|more|other|further|additional|reliable|relevant|specific|credible|detailed|direct|useful|clear|definitive|authoritative|trustworthy|verifiable|verified|official|public|published|independent|such|matching|sufficient|significant|concrete|biographical|search|web|online|reputable|current|recent)';
const ABOUT = '(?:about|on|regarding|concerning|for)';
/** "Unfortunately, ", "As of 2024, " */
const INTRODUCTION = String.raw`^(?:[^,.:;]{1,70}, )?(?:(?:but|and|however|unfortunately) )?`;

/** Words for the material that the writer was given. */
const GIVEN = String.raw`(?:(?:provided|given|retrieved|supplied|available|consulted|local|cited|quoted|accessible|indexed) (?:search |web )?(?:results?|sources?|documents?|documentation|passages?|context|materials?|texts?|excerpts?)|(?:search results|sources|documents|passages|excerpts) (?:provided|given|supplied|above|available|i ))`;
const NOTHING = String.raw`(?:\b(?:no|not|none|nothing|neither|unclear|unknown)\b|n't\b)`;
const SPEAKS = '(?:say|mention|state|answer|contain|cover|specify|provide|include|give|address|discuss|indicate|list|name)';

const FIRST_PERSON = [
  `${I}(?: also| currently| really| still| personally| simply| just)? ?${IN_VAIN} (?:\\w+ly )?(?!find ${JUDGED})(?:${FIND}|${TELL})\\b`,
  `${I} (?:have|found|know of|see|am aware of) (?:no|nothing)\\b`,
  `${I}(?: a|')m not (?:aware|sure|certain|familiar|able|allowed)\\b`,
  String.raw`^(?:i|we)(?:'m| am|'re| are) (?:very |so )?(?:sorry|afraid)\b`,
  String.raw`^sorry,? (?:but|i|we|no)\b`,
  String.raw`^i (?:must |have to )?(?:apologi[sz]e|decline)\b`,
  String.raw`\bas an? (?:[\w-]+ ){0,3}(?:ai|model|assistant|chatbot),? (?:i|my)\b`,
  String.raw`\bmy (?:\w+ )?(?:search(?:es)?|sources?|knowledge|training|research|tools?)\b.*${NOTHING}`,
  `${INTRODUCTION}we ${IN_VAIN} ${FIND} (?:${QUALITY} )*${NOUN}\\b(?! of\\b)`,
];
/** Reports of a search that do not say who made it. */
const AGENTLESS = [
  `^(?:could not|couldn't|cannot|can't|did not|didn't) ${FIND}\\b`,
  `^(?:unable|failed|not able) to ${FIND} (?:${QUALITY} )*${NOUN}\\b[^,]*$`,
  `${INTRODUCTION}it (?:was|is|has been) (?:impossible|not possible) to ${FIND} (?:${QUALITY} )*${NOUN}\\b(?! of\\b)`,
  `${INTRODUCTION}(?:there (?:was|were|is|are) )?no (?:${QUALITY} )*${NOUN}(?: ${ABOUT}\\b[^,;]*?)?(?: (?:was|were|is|are|has been|have been|could be|can be))?(?: \\w+ly)? ${FOUND}(?= ${ABOUT}\\b| in (?:the|my|any) (?:${GIVEN}|search)|[,.;]|$)(?!.* by the\\b)`,
  `${INTRODUCTION}there (?:was|were|is|are) (?:no|not (?:any|enough|sufficient)) (?:${QUALITY} )*(?:information|sources|documents) (?:available )?(?:about|on|regarding|concerning)\\b`,
  `${INTRODUCTION}nothing (?:${QUALITY} )?(?:was|could be|can be) found (?:about|regarding|concerning)\\b`,
  `${INTRODUCTION}(?:${QUALITY} )*information (?:about|on|regarding|concerning) [^,;]*? (?:(?:is|was) (?:not |un)(?:\\w+ly )?available|(?:could not|cannot) be ${FOUND})(?! to\\b)`,
  `^without (?:${QUALITY} )*(?:context|${NOUN}),? (?:\\w+ )?(?:it(?:'s| is| would be| remains)|one cannot|i)\\b`,
  String.raw`^(?:this|the|your) (?:part of the )?question (?:cannot|can't|could not) be answered\b`,
];
const MATERIAL = [
  `${INTRODUCTION}(?:the|these|my) (?:documents|sources|passages|search results) (?:(?:do not|don't|cannot|fail to) (?:\\w+ly )?${SPEAKS}|(?:contain|have|provide|say) (?:no|nothing))\\b`,
  `${INTRODUCTION}none of the (?:documents|sources|passages|search results) ${SPEAKS.replace(')', ')s?')}\\b`,
  `${INTRODUCTION}(?:the|these|my) ${GIVEN}.*${NOTHING}`,
  `^(?=.*${NOTHING}).*\\b(?:in|from|by|within|among|with|on) (?:any of )?(?:the|these|my|any) ${GIVEN}`,
];
const REFUSAL = new RegExp([...FIRST_PERSON, ...AGENTLESS, ...MATERIAL].map((pattern) => `(?:${pattern})`).join('|'), 'i');
/** A quick check, because most sentences have none of these. */
const MAY_REFUSE =
  /\b(?:no|not|nothing|none|neither|without|can(?:not| not)|unable|failed?|sorry|afraid|apologi[sz]e|decline|ai|model|assistant|chatbot|my|impossible|unclear|unknown|unavailable)\b|n['’]t\b/i;
const SPEECH = /“[^”]*”|"[^"]*"|«[^»]*»/g;

/**
 * Whether a sentence says that its writer found or gives no answer: in the first person, or as a search without an agent. What somebody else could
 * not find is a fact, and so is quoted speech. English.
 */
export function isRefusal(sentence: string): boolean {
  return MAY_REFUSE.test(sentence) && REFUSAL.test(sentence.replaceAll('’', "'").replace(SPEECH, '“”'));
}
