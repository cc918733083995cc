import { ANSWERING } from './answering';
import { goingOn } from './surroundings';

/** A longer question would hide what replies to it. In UTF-16 units. */
const MAX_LENGTH = 200;
/** A question after which nothing else was said. */
const QUESTION = /\?["'”’)]*$/;
/** “Yes, if you hide it”, “You can, and the company gets the credit”, “If rates drop to 5.5%, yes”. */
const REPLY =
  /^(?:yes|no|yep|nope|mostly|largely|usually|partly|probably|possibly|perhaps|maybe|not (?:really|quite|yet|always|necessarily|if|unless|for|in|on|by|with)|only (?:if|in|for|on|when)|(?:it )?depends|absolutely|definitely|ideally|sometimes|(?:you|they|we|he|she|it) (?:can|could|do|does|did|is|are|should|may|might|will|won['’]t|can['’]t|shouldn['’]t|don['’]t|doesn['’]t)[,;.])(?![-\w])|^if\b[^;?]{1,80}, (?:yes|no)\b/i;
const IN_ONE_WORD = /^(?:yes|no)\b/i;

/** Whether a text replies to the question that the same report asks right before it. */
export const repliesTo = (said: string | null, text: string): boolean => said !== null && QUESTION.test(said) && REPLY.test(text);

/** Whether it does so in a word, which needs no verb: “No.” */
export const repliesInOneWord = (said: string | null, text: string): boolean => repliesTo(said, text) && IN_ONE_WORD.test(text);

/** What a question leaves for the sentence behind it to be read with; null for other texts and for long questions. */
export const askedIn = (said: string | null, text: string): string | null =>
  QUESTION.test(text) && text.length <= MAX_LENGTH && !ANSWERING.test(text.replace(QUESTION, '')) ? (goingOn(said, text) ?? text) : null;
