/** The question asks for a way, a setting or an intended behaviour. Then it presupposes none, even if it describes what goes wrong. */
const A_WAY = [
  /\b(?:how|where) (?:do|can|could|would|should) (?:I|you|we|one)\b|\b(?:possible|able to)\b/i,
  /\b(?:any|an?|which|what|some) (?:\w+ )?(?:way|option|setting|flag|switch|parameter|plugin)\b/i,
  /\b(?:expected|intended|supposed|meant|going) to\b/i,
];
/** "Is the pool going to retry?" presupposes nothing, unlike "Is this a bug?" or "Should it be so?" after a description. */
const YES_OR_NO = /^\W*(?:[^\s:]{1,80}: )?(?:is|are|will|would|has|have|should|shall|may|any)\b/i;
const IS_JUDGED = /\bwhy\b|\b(?:bug|expected|intended|intentional|deliberate|normal)\W*$|^\W*(?:is|are) (?:it|this|that)\b/i;
/** The question describes something that was observed, such as a behaviour or a difference. */
const GIVEN = [
  /\bwhy\b|\bhow come\b|\bdifferent(?:ly)?\b|\b(?:bug|expected|intended|intentional|deliberate|normal)\b/i,
  /\bwhat(?:'s| is| are| has| was)? (?:happen(?:s|ed|ing)?|going on|wrong|chang(?:ed|es)|caus(?:es|ed|ing)|the (?:reason|cause|difference))\b/i,
  // Asks what to do about an observation, or whether anything is needed; but not which setting to use, nor how to reach a goal.
  /\bwhat (?:else )?(?:must|should|shall|can) (?:I|we|he|she|they|it|you|the \w+)\b(?! (?:set|use|pass|configure|call|write|install|put|send|give|enable|add)\b)(?!.*\bso that\b)/is,
  /\bdo (?:I|we) (?:really |still )?(?:need|have) (?:an?|the|to (?!enable|install|configure|use|set|add)\w+)\b(?!.*\bso that\b)/is,
  /\b(?:what|how) (?:do|does|did|will|would)\b.{1,200}\b(?:do|differ)\b|\bis (?:that|this) (?:the|why|because|a)\b/i,
];
/** Asks for something that may or may not exist: a way to do it, an option for it, a number. */
const SOUGHT = [
  /\bhow (?:do|does|can|could|would|should|to|might|many|much|long|often|large|big|deep|fast)\b/i,
  /\b(?:can|could|is there|are there|supports?|defaults?|maximum|minimum)\b|^\W{0,9}(?:[^\s:]{1,80}: )?(?:does|do)\b/i,
  /\b(?:which|what)(?:'s| is| are)?\s+(?:the\s+)?(?!(?:the|an?|does|do|did|is|are|was|has|if|happens|else)\b)[@\p{L}]/iu,
  /\b(?:any|looking for|need|want|would like)\b/i,
];

/**
 * Whether a question presupposes what it is about. A question why, or what happens, comes from an observation; one for a way or an option does not.
 */
export function takesAsGiven(question: string): boolean {
  if (A_WAY.some((pattern) => pattern.test(question))) return false;
  if (YES_OR_NO.test(question) && !IS_JUDGED.test(question)) return false;
  return GIVEN.some((pattern) => pattern.test(question)) || !SOUGHT.some((pattern) => pattern.test(question));
}
