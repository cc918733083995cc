import { stemOf } from '@lib/language/tokens';
import { COLON, COMMA, DASH, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { after, partOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { contentWordsOf, type ContentWord } from '../difference/content-words';
import { isSame } from '../alignment/same-word';
import { unsaidIn, type Unsaid } from '../difference/restatement';
import { SentenceRead } from '../subject/sentences-read';
import type { Ground } from './grounding';

/** What a sentence may be told from: a claim as a whole, and each of its clauses with its subject. */
export interface ClaimParts {
  parts: readonly SentenceRead[];
}

/** Begins a part of a sentence that states something by itself. */
const JOINTS = new Set('and but while whereas although though'.split(' '));
/** Say who says so, and go together. */
const REPORTING = new Set(
  `according report reports reported say says said state states stated source sources provider providers agree agrees agreed additionally meanwhile
moreover furthermore respectively specifically overall`.split(/\s+/),
);
/** Say that what is said is disputed. */
const DISPUTING = new Set(
  `differ differs disagree disagrees dispute disputed contradict contradicts conflict conflicting conflicts while whereas another others other but though
although`.split(/\s+/),
);
/** A sentence of more parts is not taken apart any further. */
const MAX_JOINTS = 12;
/** A name or a thing, and two words of it. */
const MIN_SAID = 3;
const POSSESSIVE = /['’]s?$/;

export function claimPartsOf(text: string): ClaimParts {
  const whole = new SentenceRead(text);
  const clauses = whole.clausesAfter(whole.opening?.to ?? 0, true);
  if (clauses.length < 2) return { parts: [whole] };
  const subject = whole.opening?.named ?? null;
  const parts = clauses.map(({ from, to }) => {
    const part = partOf(whole.reading, from, to);
    return from > 0 && subject ? after(subject, part) : part;
  });
  return { parts: [whole, ...parts.map((part) => new SentenceRead(part.text, part))] };
}

/**
 * What a sentence says that none of its claims does; null if each part of it that states something is said by one of them. A part without a
 * subject has that of the sentence.
 */
export function ungroundedIn(text: string, claims: readonly ClaimParts[], question: Ground): Unsaid | null {
  const grounds = claims.flatMap(({ parts }) => parts);
  const sentence = new SentenceRead(text);
  return isGrounded(sentence, grounds, question) ? null : leastFault(sentence, grounds, question);
}

/** As a whole, or as the longest part at its beginning that is told, and then the rest. */
function isGrounded(sentence: SentenceRead, grounds: readonly SentenceRead[], question: Ground): boolean {
  if (!leastFault(sentence, grounds, question)) return true;
  const { reading, opening } = sentence;
  for (const joint of jointsIn(reading).slice(0, MAX_JOINTS).reverse()) {
    const left = partOf(reading, 0, joint);
    if (leastFault(new SentenceRead(left.text, left), grounds, question)) continue;
    const right = partOf(reading, isJoint(reading.tokens[joint]) ? joint + 1 : joint, reading.tokens.length);
    const isWhole = isPluralsVerb(right.tokens, 1) || grounds.some(({ reading: ground }) => beginsAs(right, ground));
    const hasSubject = isWhole || new SentenceRead(right.text, right).opening !== null;
    const rest = opening?.named && !hasSubject ? after(opening.named, right) : right;
    return rest.tokens.length < reading.tokens.length && isGrounded(new SentenceRead(rest.text, rest), grounds, question);
  }
  return false;
}

/**
 * Whether a sentence tells of a dispute as one: its words are those of the two sides, it takes something of each side or nothing of either, and it
 * says that they differ.
 */
export function tellsBothSides(text: string, sides: readonly ClaimParts[], question: Ground): boolean {
  const { reading } = new SentenceRead(text);
  const theirs = sides.map(({ parts }) => (parts[0] ? contentWordsOf(parts[0].reading) : []));
  const has = (items: readonly ContentWord[], { token }: ContentWord): boolean => items.some((item) => isSame(item.token.word, token.word));
  const mine = contentWordsOf(reading);
  if (!reading.tokens.some(({ word }) => DISPUTING.has(word.text))) return false;
  const isMine = (item: ContentWord): boolean => theirs.some((items) => has(items, item));
  if (!mine.every((item) => isMine(item) || DISPUTING.has(item.token.word.text) || mayAdd(item.token, question))) return false;
  const own = theirs.map((items, side) => items.filter((item) => theirs.some((others, other) => other !== side && !has(others, item))));
  const taken = own.filter(({ length }) => length > 0).map((items) => items.some((item) => has(mine, item)));
  return new Set(taken).size <= 1;
}

/** Words of the question may be named again, but for its verbs and denials. */
function mayAdd({ word, isCapitalised }: Token, { stems, words }: Ground): boolean {
  if (REPORTING.has(word.text)) return true;
  if (word.isNegation || word.isNegated || (word.isStopWord && !isCapitalised)) return false;
  return (words.has(word.text) || stems.has(stemOf(word.text))) && !(word.verb.isPastForm && !isCapitalised);
}

const isJoint = (token: Token | undefined): boolean => token !== undefined && JOINTS.has(token.word.text);

/** It speaks of what the ground speaks of, and says something of it. */
function beginsAs(part: Reading, ground: Reading): boolean {
  const items = contentWordsOf(part);
  const [first, theirs] = [items[0], contentWordsOf(ground)[0]];
  if (!first || !theirs || items.length < MIN_SAID || !isSame(first.token.word, theirs.token.word)) return false;
  return items.some(({ token }) => !token.isCapitalised && !token.word.isAmount);
}

/** Places of the words with which a part begins that has a verb of its own, as what stands before it has. */
function jointsIn({ tokens }: Reading): number[] {
  const verbs = tokens.map((_, at) => isFiniteVerbAt(tokens, at) || isPluralsVerb(tokens, at));
  return tokens.flatMap((token, at) => {
    const divides = isJoint(token) || (token.before & (SEMICOLON | COLON | COMMA)) !== 0 || (token.before & ~SPACE) === DASH;
    const begins = verbs.slice(at).includes(true) || (isJoint(token) && (token.before & COMMA) !== 0);
    return at > 0 && divides && begins && verbs.slice(0, at).includes(true) ? [at] : [];
  });
}

/** "plugins inherit": after a plural a verb has no ending that tells it. */
function isPluralsVerb(tokens: readonly Token[], at: number): boolean {
  const [noun, token] = [tokens[at - 1], tokens[at]];
  if (!noun || !token || noun.isCapitalised || token.isCapitalised || token.before !== SPACE || token.word.isStopWord) return false;
  const { endsInS, endsInIng, isAdverb } = token.word.verb;
  return noun.word.verb.endsInS && !noun.word.verb.isFinite && !endsInS && !endsInIng && !isAdverb && !token.word.isAmount;
}

function leastFault(sentence: SentenceRead, grounds: readonly SentenceRead[], question: Ground): Unsaid | null {
  let least: Unsaid | null = { kind: 'word', word: sentence.reading.tokens[0]?.word.text ?? '' };
  let most = -1;
  for (const ground of grounds) {
    const fault = unsaidIn(sentence.reading, ground.reading, (token) => mayAdd(token, question)) ?? subjectFault(sentence, ground);
    if (!fault) return null;
    const shared = sharedWith(sentence.reading, ground.reading);
    if (shared > most) [most, least] = [shared, fault];
  }
  return least;
}

function sharedWith(sentence: Reading, ground: Reading): number {
  const theirs = contentWordsOf(ground);
  return contentWordsOf(sentence).filter(({ token }) => theirs.some((item) => isSame(token.word, item.token.word))).length;
}

/** "Ada's father died" does not say "Ada died". */
function subjectFault(sentence: SentenceRead, ground: SentenceRead): Unsaid | null {
  if (hasDoer(sentence.reading) || hasDoer(ground.reading)) return null;
  const [mine, theirs] = [headOf(sentence), headOf(ground)];
  return mine && theirs && !isSame(mine.word, theirs.word) ? { kind: 'role', word: mine.word.text } : null;
}

const hasDoer = ({ tokens }: Reading): boolean => tokens.some(({ word }) => word.text === 'by');

/** The word that names what the sentence speaks of: "father" in "the father of Ada", and in "Ada's father". */
function headOf({ opening }: SentenceRead): Token | null {
  const named = opening?.named;
  if (!named) return null;
  const end = named.tokens.findIndex(
    ({ word, before }, at) => at > 0 && (word.verb.isComplement || word.text === 'of' || (before & COMMA) !== 0),
  );
  const phrase = named.tokens.slice(0, end < 0 ? undefined : end);
  return phrase.findLast((token) => !token.word.isStopWord && !POSSESSIVE.test(token.word.text)) ?? null;
}
