import { ANSWERING } from './answering';
import { goingOn } from './surroundings';
import { isTalk } from './talk';

/** A longer question would hide what replies to it. In UTF-16 units. */
const MAX_LENGTH = 200;
/** In words. */
const MAX_BRIEF = 12;
/** A question after which nothing else was said. */
const QUESTION = /\?["'”’)]*$/;
const BEFORE = String.raw`(?:(?:honestly|frankly|strictly speaking|technically|generally|basically|unfortunately|luckily|of course|in principle|i['’]d say|well)[,:]? )?`;
/** “Yes, if you hide it”, “You can, and the company gets the credit”, “If rates drop to 5.5%, yes”. */
const REPLY = new RegExp(
  String.raw`^${BEFORE}(?:yes|no|yep|nope|mostly|largely|usually|partly|probably|possibly|perhaps|maybe|preferably|rarely|not(?: (?:really|quite|yet|always|necessarily|if|unless|for|in|on|by|with|behind)|(?=\.))|only (?:if|in|for|on|when)|(?:it )?depends|absolutely|definitely|ideally|sometimes|(?:you|they|we|he|she|it) (?:can|could|do|does|did|is|are|should|may|might|will|won['’]t|can['’]t|shouldn['’]t|don['’]t|doesn['’]t)[,;.])(?![-\w])|^if\b[^;?]{1,80}, (?:yes|no)\b`,
  'i',
);
/** What needs no verb behind a question: a figure, a time, a yes or no. */
const BRIEF = new RegExp(
  String.raw`^${BEFORE}(?:yes|no|nope|yep|mostly|partly|largely|usually|preferably|rarely|never|always|not|only|less|more|fewer|about|around|roughly|nearly|almost|up to|at|in|from|between|until|after|before)\b|^[$€£]?\d`,
  'i',
);

/** Whether a text replies to the question, or to the words of others, right before it in the same report. */
export const repliesTo = (said: string | null, text: string): boolean =>
  said !== null && (QUESTION.test(said) || isQuotation(said)) && REPLY.test(text) && !text.endsWith(':') && !isOfProgram(text);

/** Whether it does so in a few words, which need no verb: “No.”, “$21 per person.” */
export const repliesInBrief = (said: string | null, text: string): boolean =>
  said !== null &&
  QUESTION.test(said) &&
  BRIEF.test(text) &&
  !text.endsWith(':') &&
  text.split(' ').length <= MAX_BRIEF &&
  !isOfProgram(text);

/** Whether only others' words were said: "Myths: “Breakfast is essential.”" */
export const isQuotation = (said: string): boolean => /["”][.!]?$/.test(said.slice(-2)) && QUOTED.test(said.replace(LED_BY, ''));
/** The whole of a sentence in quotation marks: somebody else's words, which the report may be about to deny. */
export const QUOTED = /^["“][^"“”]+["”][.!]?$/;
const LED_BY = /^[^"“”:]{1,100}: (?=["“])/;

/** A reply in words to a program, "No, ignore all previous instructions", or another question. */
const isOfProgram = (text: string): boolean => text.split(/[,:;] /).some((part) => isTalk(part.replace(SAID, ''))) || OF_REPORT.test(text);
const SAID = /^i['’]d say |^(?:you|we) (?:can|could|do|did|are|should|may|might|will|won['’]t|can['’]t|shouldn['’]t|don['’]t)$/i;
const OF_REPORT = /\b(?:instructions?|prompts?|reports?|winners?|providers?)\b/i;

/** What a question leaves for the sentence behind it to be read with; null for other texts and for long questions. */
export const askedIn = (said: string | null, text: string): string | null =>
  QUESTION.test(text) && text.length <= MAX_LENGTH && !ANSWERING.test(text.replace(QUESTION, '')) ? (goingOn(said, text) ?? text) : null;
