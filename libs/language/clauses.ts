import { FINITE_VERB } from './verbs';

/** A part of a sentence that states something: `sentence.slice(start, end)` in UTF-16 units, without what joins it to the others. */
export interface Clause {
  start: number;
  end: number;
}

const MIN_WORDS = 3;
/** Of the first clause, which has the subject. */
const MIN_FIRST_WORDS = 4;

/** Nothing is cut inside of these. */
const ENCLOSED = /\([^()]*\)|\[[^\][]*\]|“[^”]*”|"[^"]*"|`[^`]*`/g;

/** "X did this, and did that", "… who did", "… born in …", "…, working on …": what joins, up to the words of the next clause. */
const OTHER_SUBJECT = String.raw`(?!\w+\s+(?:him|her|them)\s)`;
const JOINT = new RegExp(
  [
    String.raw`\s*;\s+(?:(?:and|but)\s+)?(?:(?:he|she|they|it)\s+)?${OTHER_SUBJECT}(?=${FINITE_VERB})`,
    String.raw`,?\s+(?:and|but|while|whereas)\s+(?:(?:he|she|they|it)\s+)?${OTHER_SUBJECT}(?=${FINITE_VERB})`,
    // The lookbehinds come last: first, they would be tried at every character.
    String.raw`,?\s+who\s+(?=${FINITE_VERB})(?<=\b(?:is|are|was|were)\s(?:an?|the|one)\s[^,;]{1,120},?\s+who\s+)`,
    String.raw`,?\s+(?=born\s+(?:on|in|to|at|as|\d|[A-Z]))(?<!\b(?:was|is|were|are|being|be|been|first|[Ff]oreign|newly|not),?\s+)`,
    String.raw`,\s+(?=(?!during|including|according|following|starring|featuring|regarding|concerning|excluding|king\b|being\b)[a-z]{2,}ing\s)`,
  ].join('|'),
  'gu',
);

/**
 * The clauses of an English sentence that share its subject, in order; the first has it. A sentence that has but one, or whose parts would be
 * too short to state anything, is one clause. In other languages every sentence is.
 */
export function clausesOf(sentence: string): Clause[] {
  const open = masked(sentence);
  const clauses: Clause[] = [];
  let start = 0;
  for (const { 0: joint, index } of open.matchAll(JOINT)) {
    if (wordCount(open.slice(start, index)) < (start === 0 ? MIN_FIRST_WORDS : MIN_WORDS)) continue;
    if (wordCount(open.slice(index + joint.length)) < MIN_WORDS) continue;
    clauses.push({ start, end: index });
    start = index + joint.length;
  }
  clauses.push({ start, end: sentence.length });
  return clauses;
}

/** Where a clause can end early and still state something: before what modifies it or is added to it. */
const EARLY_END =
  /,\s+|\s+(?=(?:and|or|but|in|at|for|with|from|as|on|by|to|of|including|such|before|after|during|until|since|where|which|who|that|when|while|through|over|into|under|between|among|alongside)\s)/g;

const DANGLING =
  /\b(?:and|or|but|in|at|for|with|from|as|on|by|to|of|such|after|before|until|since|the|an?|which|who|that|where|also|both|including)$/i;

/** The beginnings of a clause that can stand without the rest, by their ends, longest first. English only. */
export function earlyEndsOf(clause: string): number[] {
  return [...masked(clause).matchAll(EARLY_END)]
    .map(({ index }) => index)
    .filter((end) => wordCount(clause.slice(0, end)) >= MIN_WORDS && !DANGLING.test(clause.slice(0, end)))
    .reverse();
}

function masked(sentence: string): string {
  return sentence.replace(ENCLOSED, (enclosed) => enclosed.charAt(0) + '_'.repeat(enclosed.length - 1));
}

function wordCount(part: string): number {
  return part.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
