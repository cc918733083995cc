import type { Token } from '@lib/language/reading/token';

/** First-person advice to somebody who has to choose: "I'd lean", "I recommend", "my advice is", "in my view". */
const RECOMMENDS = new RegExp(
  [
    /\bi(?:['’]d| would)(?: (?:also|still|not|rather|always|never|\w+ly))* (?:choose|pick|buy|take|go (?:for|with)|lean|opt|prefer|favou?r|recommend|advise|suggest|use|avoid|skip|start with|wait|stay|invest|stick (?:with|to)|switch|spend|rent|hire|book|split|pay|get(?! (?:back|into|to the point))|budget|plan|keep(?! in mind)|aim|replace|move|leave|save|test|schedule|order)\b/i,
    /\b(?:i|we) (?:\w+ly )?(?:recommend|prefer|favou?r|suggest|advise|lean)\b/i,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'i',
);
/** The same in words that also introduce what says little: then a name must follow. */
const JUDGES = new RegExp(
  [
    /\bmy (?:\w+ ){0,2}(?:advice|recommendation|pick|choice|verdict|suggestion|preference)\b[^.!?]{0,60}?\b(?:is|would be)\b/i,
    /\bin my (?:view|opinion|assessment|judge?ment|experience)\b/i,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'i',
);
/** General advice, and mere references. */
const SAYS_LITTLE =
  /\b(?:check(?:ing)?|consult(?:ing)?|talk(?:ing)?|ask(?:ing)?|read(?:ing)?|verify(?:ing)?|look(?:ing)? (?:at|into|up)|see(?:ing)?) (?!for\b)|\b(?:recommend|suggest|advise|choose|pick|buy|take|avoid|prefer|use) (?:it|them|this|that|these|those|you|against it)\b/i;

/** Remarks about the report itself, or to a program. */
const OF_REPORT =
  /\b(?:reports?|answers?|prompts?|sources?|documents?|instructions?|quer(?:y|ies)|confidence|claims?|providers?|outputs?|winners?|assistants?|(?:every|the|admin|any) (?:model|system|mode))\b/i;

/** Whether a writer recommends or judges something in the first person, as a result of the report and not as a remark about it. */
export function isVerdict(text: string, tokens: readonly Token[]): boolean {
  if (SAYS_LITTLE.test(text) || OF_REPORT.test(text)) return false;
  return RECOMMENDS.test(text) || (JUDGES.test(text) && tokens.some(({ isCapitalised }, at) => at > 0 && isCapitalised));
}
