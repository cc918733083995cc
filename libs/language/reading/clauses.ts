import { COMMA, SEMICOLON, SPACE } from './characters';
import type { Reading } from './reading';
import { isKnownFor } from './known-for';
import type { Token } from './token';
import { isFiniteVerbAt } from './verbs';

/** A part of a sentence that states something: its words from `from` to `to`, exclusive, without what joins it to the others. */
export interface Clause {
  from: number;
  to: number;
  /** Where it ends in the text. */
  end: number;
}

const MIN_WORDS = 3;
/** Of the first clause, which has the subject. */
const MIN_FIRST_WORDS = 4;

/** Nothing is cut inside of these. */
const ENCLOSED = /\([^()]*\)|\[[^\][]*\]|“[^“”]*”|"[^"]*"|`[^`]*`/g;
const MAY_ENCLOSE = /[([“"`]/;

const CONJUNCTIONS = new Set(['and', 'but', 'while', 'whereas']);
const PRONOUNS = new Set(['he', 'she', 'they', 'it']);
const OBJECTS = new Set(['him', 'her', 'them']);
const COPULAS = new Set(['is', 'are', 'was', 'were']);
const ARTICLES = new Set(['a', 'an', 'the', 'one']);
const AFTER_BORN = new Set(['on', 'in', 'to', 'at', 'as']);
const NOT_BEFORE_BORN = new Set('was is were are being be been first foreign newly not'.split(' '));
const NO_PARTICIPLES = new Set(
  'during including according following starring featuring regarding concerning excluding king being'.split(' '),
);
/** Words between "is a" and the "who" that goes on from it. */
const LONGEST_PREDICATE = 20;

/**
 * The clauses of an English sentence that share its subject, in order; the first has it. A sentence that has but one, or whose parts would be
 * too short to state anything, is one clause. In other languages every sentence is. Its subject, which ends before the word at `subjectEnd`,
 * is never divided.
 */
export function clausesOf({ text, tokens }: Reading, subjectEnd = 0): Clause[] {
  const clauses: Clause[] = [];
  let isOpen: IsOpen | undefined;
  let from = 0;
  for (let at = Math.max(1, subjectEnd); at < tokens.length; at += 1) {
    const next = clauseAfterJoint(tokens, at);
    if (next < 0 || next < from || isUnfinished(tokens, at)) continue;
    isOpen ??= openIn(text);
    if (!isOpen(tokens[at]?.start ?? 0)) continue;
    if (!hasWords(tokens, isOpen, from, at, from === 0 ? MIN_FIRST_WORDS : MIN_WORDS)) continue;
    if (!hasWords(tokens, isOpen, next, tokens.length, MIN_WORDS)) continue;
    clauses.push({ from, to: at, end: endBefore(text, tokens[at]?.start ?? 0) });
    from = next;
    at = next - 1;
  }
  clauses.push({ from, to: tokens.length, end: text.length });
  return clauses;
}

/** What stands before such a word waits for the verb behind the joint: "does not, but will use", "was loudly but in vain opposed". */
function isUnfinished(tokens: readonly Token[], joint: number): boolean {
  const [last, next] = [tokens[joint - 1], tokens[joint + 1]];
  if (!last) return false;
  return (
    UNFINISHED.has(last.word.text) ||
    (last.word.verb.isAdverb && next?.word.verb.isAdverb === true && COPULAS.has(tokens[joint - 2]?.word.text ?? ''))
  );
}

const UNFINISHED = new Set('not never do does did can could will would may might must shall should be been to about'.split(' '));

/** Where the clause begins whose joint begins at this word; -1 if none does: "X did this, and did that", "… who did", "… born in …", "…, working on …". */
function clauseAfterJoint(tokens: readonly Token[], at: number): number {
  const token = tokens[at];
  if (!token || (token.before & SPACE) === 0) return -1;
  const { text } = token.word;
  if (token.before & SEMICOLON) return predicateFrom(tokens, text === 'and' || text === 'but' ? at + 1 : at);
  return token.isCapitalised ? -1 : joined(tokens, at, token);
}

function joined(tokens: readonly Token[], at: number, token: Token): number {
  const { text, verb } = token.word;
  if (CONJUNCTIONS.has(text)) return token.after === SPACE && !joinsVerbs(tokens, at) ? predicateFrom(tokens, at + 1) : -1;
  if (text === 'who') return token.after === SPACE && isFiniteVerbAt(tokens, at + 1) && describes(tokens, at) ? at + 1 : -1;
  if (text === 'born') return isBirth(tokens, at) ? at : -1;
  if (isKnownFor(tokens, at)) return saysWhatItIs(tokens, at) ? at : -1;
  const isParticiple = verb.endsInIng && !NO_PARTICIPLES.has(text) && (token.before & COMMA) !== 0 && token.after === SPACE;
  return isParticiple ? at : -1;
}

/** The verb that says something more of the same subject, after a pronoun for it; -1 if there is none or it has a subject of its own. */
function predicateFrom(tokens: readonly Token[], at: number): number {
  const verb = PRONOUNS.has(tokens[at]?.word.text ?? '') ? at + 1 : at;
  return isFiniteVerbAt(tokens, verb) && !OBJECTS.has(tokens[verb + 1]?.word.text ?? '') ? verb : -1;
}

/** "is a singer who": the words before "who" say what the subject is. */
function describes(tokens: readonly Token[], who: number): boolean {
  for (let at = who - 1; at >= Math.max(1, who - LONGEST_PREDICATE); at -= 1) {
    if (at < who - 1 && (tokens[at + 1]?.before ?? 0) & (COMMA | SEMICOLON)) return false;
    if (ARTICLES.has(tokens[at]?.word.text ?? '') && COPULAS.has(tokens[at - 1]?.word.text ?? '')) return at < who - 1;
  }
  return false;
}

/** "Is an actress, model and producer": between the article and the word stand the nouns that say it, and no preposition. */
function saysWhatItIs(tokens: readonly Token[], end: number): boolean {
  for (let at = end - 1; at >= Math.max(1, end - LONGEST_PREDICATE); at -= 1) {
    const token = tokens[at];
    if (!token) return false;
    // "The oldest pilot known for it" is not the oldest pilot.
    if (ARTICLES.has(token.word.text)) return token.word.text !== 'the' && COPULAS.has(tokens[at - 1]?.word.text ?? '') && at < end - 1;
    if (token.word.isStopWord && !LISTING.has(token.word.text)) return false;
  }
  return false;
}

const LISTING = new Set(['and', 'former']);

function isBirth(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]];
  if (!after || tokens[at]?.after !== SPACE || NOT_BEFORE_BORN.has(before?.word.text ?? '')) return false;
  return AFTER_BORN.has(after.word.text) || after.word.hasDigit || after.isCapitalised;
}

/** Before what modifies it or is added to it a clause can end early and still state something. */
const MODIFIERS = new Set(
  `and or but in at for with from as on by to of including such before after during until since where which who that when while through over into under
between among alongside`.split(/\s+/),
);
const DANGLING = new Set(
  'and or but in at for with from as on by to of such after before until since the a an which who that where also both including'.split(
    ' ',
  ),
);

/** These begin something that is said besides. */
const CLOSING = new Set('who which when while where since until known and including'.split(' '));

/** The beginnings of a part of a sentence that can stand without the rest, by the word after their last and their end in the text, longest first. English only. */
export function earlyEndsOf({ text, tokens }: Reading, { from, to }: Clause): { to: number; end: number; isClosed: boolean }[] {
  const ends: { to: number; end: number; isClosed: boolean }[] = [];
  let isOpen: IsOpen | undefined;
  for (let at = from + MIN_WORDS; at < to; at += 1) {
    const token = tokens[at];
    if (!token || (token.before & SPACE) === 0) continue;
    const isModifier = MODIFIERS.has(token.word.text) && !token.isCapitalised && (token.after & SPACE) !== 0;
    if (!isModifier && (token.before & COMMA) === 0) continue;
    if (DANGLING.has(tokens[at - 1]?.word.text ?? '') || dividesPhrase(tokens, at)) continue;
    isOpen ??= openIn(text);
    const end = endBefore(text, token.start);
    if (isOpen(end) && hasWords(tokens, isOpen, from, at, MIN_WORDS))
      ends.push({ to: at, end, isClosed: (token.before & COMMA) !== 0 || CLOSING.has(token.word.text) });
  }
  return ends.reverse();
}

const POSSESSIVES = new Set(['his', 'her', 'its', 'their']);

/** Nobody is one of these but of something. */
const RELATED = new Set(
  `founder founders co-founder cofounder member members author creator director president chairman chairwoman chair head leader owner co-owner winner
recipient governor mayor son daughter wife widow father mother brother sister nephew descendant part half majority minority capital director-general chief
king queen inventor pioneer editor champion winners`.split(/\s+/),
);

/** "Her powerful" from "and soulful voice", a day from its year, "a member" from what it is a member of, "killed" from "and wounded many", "to determine" from what. */
function dividesPhrase(tokens: readonly Token[], at: number): boolean {
  const [earlier, before, token] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  if (!before || !token) return false;
  if (token.word.hasDigit) return before.word.hasDigit;
  if (token.word.text === 'of') return isOfSomething(tokens, at) || before.isCapitalised;
  if (earlier?.word.text === 'to' && !before.isCapitalised && !before.word.isStopWord) return true;
  if (JOINING.has(token.word.text) && POSSESSIVES.has(earlier?.word.text ?? '') && !before.isCapitalised) return true;
  if (goesOnAlike(tokens, at)) return true;
  return JOINING.has(token.word.text) && (before.word.hasDigit || before.word.verb.isAdverb || joinsVerbs(tokens, at));
}

/** "By 14 % and deaths" from "by 12 %". */
function goesOnAlike(tokens: readonly Token[], at: number): boolean {
  const and = tokens[at - 2]?.word.text === 'and' ? at - 2 : at - 3;
  const token = tokens[at];
  if (tokens[and]?.word.text !== 'and' || !token?.word.isStopWord || tokens[at - 1]?.isCapitalised) return false;
  return tokens.slice(Math.max(0, and - LONGEST_ALIKE), and).some(({ word }) => word.text === token.word.text);
}

/** Words between a preposition and the "and" behind which it stands again. */
const LONGEST_ALIKE = 4;

/** "A member", "the official flower", "founder": of what is part of it. */
function isOfSomething(tokens: readonly Token[], of: number): boolean {
  const [article, other, noun] = [tokens[of - 3], tokens[of - 2], tokens[of - 1]].map((token) => token?.word.text ?? '');
  return ARTICLES.has(other ?? '') || (article === 'the' && tokens[of - 2]?.word.isStopWord === false) || RELATED.has(noun ?? '');
}

/** "killed and wounded": what follows the second verb belongs to the first one too. */
function joinsVerbs(tokens: readonly Token[], at: number): boolean {
  const [before, next] = [tokens[at - 1], tokens[at + 1]];
  const isVerb = (token: Token | undefined): boolean =>
    token?.isCapitalised === false && token.word.verb.isPastForm && !token.word.isStopWord;
  return isVerb(before) && (isVerb(next) || (next?.word.isNegation === true && isVerb(tokens[at + 2])));
}

const JOINING = new Set(['and', 'or', 'but']);

type IsOpen = (place: number) => boolean;

const ALWAYS: IsOpen = () => true;

/** Which places of the text are outside of brackets and quotation marks. */
function openIn(text: string): IsOpen {
  if (!MAY_ENCLOSE.test(text)) return ALWAYS;
  const closed = new Uint8Array(text.length);
  for (const { 0: enclosed, index } of text.matchAll(ENCLOSED)) closed.fill(1, index + 1, index + enclosed.length);
  return (place) => closed[place] !== 1;
}

/** Whether so many of the words stand outside of brackets. */
function hasWords(tokens: readonly Token[], isOpen: IsOpen, from: number, to: number, least: number): boolean {
  let count = 0;
  for (let at = from; at < to && count < least; at += 1) if (isOpen(tokens[at]?.start ?? 0)) count += 1;
  return count >= least;
}

/** Where what stands before the word ends, without what opens the word and the white space, comma or semicolon between. */
function endBefore(text: string, start: number): number {
  let end = /["“([]/.test(text.charAt(start - 1)) ? start - 1 : start;
  while (end > 0 && /[\s,;]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
