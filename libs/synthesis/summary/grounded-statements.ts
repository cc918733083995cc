import { namesDoer } from '../roles/subject-and-voice';
import { COLON, COMMA, DASH, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { after, partOf } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { contentWordsOf, type ContentWord } from '../difference/content-words';
import { isSame } from '../alignment/same-word';
import { unsaidIn, type Unsaid } from '../difference/restatement';
import { SentenceRead } from '../subject/sentences-read';
import type { Ground } from './grounding';

/** The texts that may support a sentence: a claim as a whole, and each of its clauses with its subject. */
export interface ClaimParts {
  parts: readonly SentenceRead[];
}

/** Words that may begin an independent part of a sentence. */
const JOINTS = new Set('and but while whereas although though'.split(' '));
/** Words that name the sources of a statement or connect statements; these may be added freely. */
const REPORTING = new Set(
  `according report reports reported say says said state states stated source sources provider providers additionally meanwhile
moreover furthermore respectively specifically overall`.split(/\s+/),
);
/** Words that say that sources agree; they may be added unless the claims contradict each other. */
const AGREEING = new Set('agree agrees agreed'.split(' '));
/** Words that say that something is disputed. */
const DISPUTING = new Set(
  'differ differs disagree disagrees dispute disputed contradict contradicts conflict conflicting conflicts while whereas though although'.split(
    ' ',
  ),
);
/** Words that tell one source from another. They tell of a dispute only together with a source: "in one report … in another". */
const OTHERS = new Set('another other others'.split(' '));
const SOURCES = new Set('report reports source sources provider providers'.split(' '));
/** A sentence is divided at no more than this many places. */
const MAX_JOINTS = 12;
/** Least number of content words: a name or thing, and two words about it. */
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
 * The first thing that a sentence says and none of its claims does; null if each independent part is supported by one of them. A part without a
 * subject takes that of the sentence.
 */
export function ungroundedIn(text: string, claims: readonly ClaimParts[], question: Ground): Unsaid | null {
  const grounds = claims.flatMap(({ parts }) => parts);
  const sentence = new SentenceRead(text);
  return isGrounded(sentence, grounds, question) ? null : leastFault(sentence, grounds, question);
}

/** Whether a sentence is supported as a whole, or by its longest supported beginning followed by the rest. */
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
 * Whether a sentence presents a dispute as one: its words are those of the two sides, it takes something specific from both or from neither, and it
 * says that they differ. Where one side only denies the other, nothing specific is left of the side that affirms: then the denial must be told, by
 * a word of disagreement.
 */
export function tellsBothSides(text: string, sides: readonly ClaimParts[], question: Ground): boolean {
  const { reading } = new SentenceRead(text);
  const theirs = sides.map(({ parts }) => (parts[0] ? contentWordsOf(parts[0].reading) : []));
  const has = (items: readonly ContentWord[], { token }: ContentWord): boolean => items.some((item) => isSame(item.token.word, token.word));
  const mine = contentWordsOf(reading);
  const tells = (words: ReadonlySet<string>): boolean => reading.tokens.some(({ word }) => words.has(word.text));
  if (!tells(DISPUTING) && !(tells(OTHERS) && tells(SOURCES))) return false;
  const isMine = (item: ContentWord): boolean => theirs.some((items) => has(items, item));
  const isOfDispute = ({ token: { word } }: ContentWord): boolean => DISPUTING.has(word.text) || OTHERS.has(word.text);
  if (!mine.every((item) => isMine(item) || isOfDispute(item) || mayAdd(item.token, reading.tokens, question))) return false;
  const own = theirs.map((items, side) => items.filter((item) => theirs.some((others, other) => other !== side && !has(others, item))));
  const taken = own.filter(({ length }) => length > 0).map((items) => items.some((item) => has(mine, item)));
  return taken.length === sides.length ? new Set(taken).size === 1 : tells(DISPUTING) && taken.every((isTaken) => isTaken);
}

/**
 * Whether a word may be added: a word that names sources, or a name of the question with a number right behind it ("Fastify 5"). Any other word of
 * the question would be an answer to it: "The vaccine causes autism." A capital at the beginning of a sentence does not make a name.
 */
function mayAdd(token: Token, tokens: readonly Token[], question: Ground): boolean {
  const { word, isCapitalised } = token;
  const before = tokens[tokens.indexOf(token) - 1];
  if (REPORTING.has(word.text)) return true;
  if (word.isNegation || word.isNegated) return false;
  if (isCapitalised) return (before ? question.words : question.properWords).has(word.text);
  return word.isAmount && before?.isCapitalised === true && question.text.includes(`${before.word.text} ${word.text}`);
}

const isJoint = (token: Token | undefined): boolean => token !== undefined && JOINTS.has(token.word.text);

/** Whether a part has the same subject as the ground, and says something about it. */
function beginsAs(part: Reading, ground: Reading): boolean {
  const items = contentWordsOf(part);
  const [first, theirs] = [items[0], contentWordsOf(ground)[0]];
  if (!first || !theirs || items.length < MIN_SAID || !isSame(first.token.word, theirs.token.word)) return false;
  return items.some(({ token }) => !token.isCapitalised && !token.word.isAmount);
}

/** Indexes at which a part with its own verb begins, after a part that also has one. */
function jointsIn({ tokens }: Reading): number[] {
  const verbs = tokens.map((_, at) => isFiniteVerbAt(tokens, at) || isPluralsVerb(tokens, at));
  return tokens.flatMap((token, at) => {
    const divides = isJoint(token) || (token.before & (SEMICOLON | COLON | COMMA)) !== 0 || (token.before & ~SPACE) === DASH;
    const begins = verbs.slice(at).includes(true) || (isJoint(token) && hasCommaBefore(token));
    return at > 0 && divides && begins && verbs.slice(0, at).includes(true) ? [at] : [];
  });
}

/** Whether a token is a verb after a plural noun, where it has no ending to recognise it by: "plugins inherit". */
function isPluralsVerb(tokens: readonly Token[], at: number): boolean {
  const [noun, token] = [tokens[at - 1], tokens[at]];
  if (!noun || !token || noun.isCapitalised || token.isCapitalised || token.before !== SPACE || token.word.isStopWord) return false;
  const { endsInS, endsInIng, isAdverb } = token.word.verb;
  return noun.word.verb.endsInS && !noun.word.verb.isFinite && !endsInS && !endsInIng && !isAdverb && !token.word.isAmount;
}

function leastFault(sentence: SentenceRead, grounds: readonly SentenceRead[], question: Ground): Unsaid | null {
  let least: Unsaid | null = { kind: 'word', word: textAt(sentence.reading.tokens, 0) };
  let most = -1;
  for (const ground of grounds) {
    const fault =
      unsaidIn(
        sentence.reading,
        ground.reading,
        (token) => AGREEING.has(token.word.text) || mayAdd(token, sentence.reading.tokens, question),
      ) ?? subjectFault(sentence, ground);
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

/** Checks that the subjects match: "Ada's father died" does not say "Ada died". */
function subjectFault(sentence: SentenceRead, ground: SentenceRead): Unsaid | null {
  if (namesDoer(sentence.reading.tokens) || namesDoer(ground.reading.tokens)) return null;
  const [mine, theirs] = [headOf(sentence), headOf(ground)];
  return mine && theirs && !isSame(mine.word, theirs.word) ? { kind: 'role', word: mine.word.text } : null;
}

/** The head noun of the subject: "father" in "the father of Ada" and in "Ada's father". */
function headOf({ opening }: SentenceRead): Token | null {
  const named = opening?.named;
  if (!named) return null;
  const end = named.tokens.findIndex(
    ({ word, before }, at) => at > 0 && (word.verb.isComplement || word.text === 'of' || (before & COMMA) !== 0),
  );
  const phrase = named.tokens.slice(0, end < 0 ? undefined : end);
  return phrase.findLast((token) => !token.word.isStopWord && !POSSESSIVE.test(token.word.text)) ?? null;
}
