import { APOSTROPHE, COLON, COMMA, DASH, SEMICOLON, SPACE } from './characters';
import type { Clause } from './clauses';
import { endBefore, hasWords, openIn } from './cuts';
import type { Reading } from './reading';
import { verbBehindSetOff } from './set-off';
import { hasCommaBefore, textAt, type Token } from './token';
import { INTRANSITIVE, isParticipleForm } from './verb-forms';
import { isFiniteVerbAt } from './verbs';
import { CLAUSE_CONJUNCTIONS_AND_SO, COMMON_PREPOSITIONS, POSSESSIVES, SUBJECT_PRONOUNS } from './function-words';

/** Words that begin a part of the clause before them, or that refer to something in it: "…, and all were sold". */
const LEANING = new Set(
  `who which that where whom whose when as than because if how what why we i you this these those there one both all some many none each neither
either others another such later earlier`.split(/\s+/),
);
/** After these, the noun phrase continues: "and the mill at Kelm was sold". */
const CONTINUING_SUBJECT = new Set('for in on at by with from between against under near'.split(' '));
const ADVERBS = new Set('instead thus therefore hence however even rather still moreover not never only just'.split(' '));
/** Before a colon these say nothing without what follows. */
const ANNOUNCING = new Set('following follows these this such'.split(' '));
const CONDITIONS = new Set('if unless whether whenever provided suppose assuming'.split(' '));
const REPORTING = new Set(
  `said says say claimed claims argued argues alleged believed believes reported suggested suggests thought hoped feared predicted warned wrote denied
stated held ruled found announced`.split(/\s+/),
);
/** Auxiliaries show that a form is a verb and not a participle as in "walls in a house made of clay". */
const AUXILIARIES = new Set('is are was were has have had will would can could may might must did does do'.split(' '));
const AFTER_PARTICIPLE = COMMON_PREPOSITIONS.union(new Set(['under', 'into']));
/** Times before the subject of a clause: "in 1986", "finally". Not "three years later", which is unclear by itself. */
const BEFORE_TIMES = new Set('in on by from since until after during'.split(' '));
const TIMES = new Set('now today finally eventually also'.split(' '));
const MAX_TIME_WORDS = 4;
/** Most words of a subject, without insertions between commas. */
const MAX_SUBJECT_WORDS = 9;
/** Pronouns and determiners that can be or begin a subject: "and nobody can tell", "and no test can". */
const ABOUT_ALL = new Set('no nobody nothing everybody everyone everything'.split(' '));
const MIN_WORDS = 3;

/**
 * The parts of an English sentence that could be sentences of their own, each with its subject and verb, in order: "Ada sang, and Ben danced", "It
 * sank; nobody died". A sentence without such parts is returned whole.
 */
export function independentClausesOf({ text, tokens }: Reading): Clause[] {
  const clauses: Clause[] = [];
  const isOpen = openIn(text);
  let from = 0;
  for (let at = MIN_WORDS; at < tokens.length; at += 1) {
    const begin = beginAfterJoint(tokens, from, at);
    if (begin < 0 || !isOpen(tokens[at]?.start ?? 0)) continue;
    if (
      !hasWords(tokens, isOpen, from, at, leastAt(tokens, from)) ||
      !hasWords(tokens, isOpen, begin, tokens.length, leastAt(tokens, begin))
    )
      continue;
    const end = endBefore(text, tokens[at]?.start ?? 0);
    clauses.push({ from, to: at, end: text.charAt(end - 1) === ':' ? end - 1 : end });
    from = begin;
    at = begin;
  }
  clauses.push({ from, to: tokens.length, end: text.length });
  return clauses;
}

/** The least number of words of a clause; two suffice after a pronoun: "She declined". */
const leastAt = (tokens: readonly Token[], at: number): number => (SUBJECT_PRONOUNS.has(textAt(tokens, at)) ? 2 : MIN_WORDS);

/** The beginning of the clause whose joint is this word; -1 if there is none. */
function beginAfterJoint(tokens: readonly Token[], from: number, at: number): number {
  const joint = tokens[at];
  if (!joint || (joint.before & SPACE) === 0) return -1;
  const isJoining = !joint.isCapitalised && CLAUSE_CONJUNCTIONS_AND_SO.has(joint.word.text);
  const begin = isJoining ? at + 1 : at;
  const isPronoun = SUBJECT_PRONOUNS.has(textAt(tokens, begin));
  if (!isDividedBefore(joint) && !(isJoining && (isPronoun || hasCommaBefore(joint)))) return -1;
  if (isJoining && joint.after !== SPACE) return -1;
  return isClauseBehind(tokens, from, at, begin) ? begin : -1;
}

const isDividedBefore = ({ before }: Token): boolean => (before & (SEMICOLON | COLON)) !== 0;

/** Whether a clause of its own begins after the joint at `at`. */
function isClauseBehind(tokens: readonly Token[], from: number, at: number, begin: number): boolean {
  const joint = tokens[at];
  if (!joint) return false;
  const isContrast = (joint.before & SEMICOLON) !== 0 || !(joint.word.text === 'and' || joint.word.text === 'so');
  if (isInScope(tokens.slice(from, at), tokens.slice(begin), isContrast)) return false;
  if ((joint.before & COLON) !== 0 && tokens.slice(from, at).some(({ word }) => ANNOUNCING.has(word.text))) return false;
  const earlier = tokens.findLastIndex((_, place) => place > from && place < at && isFiniteVerbAt(tokens, place));
  if (earlier < 0 || !hasOwnVerb(tokens, begin)) return false;
  // An item of a list, not a clause: "It has doors, windows, and walls made of clay".
  const mayBeListed = !isDividedBefore(joint) && !SUBJECT_PRONOUNS.has(textAt(tokens, begin));
  const isListed = mayBeListed && tokens.slice(earlier + 1, at).some(hasCommaBefore);
  return !isListed || (tokens[begin]?.isCapitalised !== true && hasAuxiliary(tokens, begin));
}

/** Whether the next clause may depend on a condition or an attribution before it: "If it is cold, the valve opens, and …". */
function isInScope(before: readonly Token[], behind: readonly Token[], isContrast: boolean): boolean {
  if (before.some(({ word }) => CONDITIONS.has(word.text))) return true;
  if (isContrast || behind.some(({ word }) => REPORTING.has(word.text))) return false;
  return before.some(({ word }, at) => REPORTING.has(word.text) && before.slice(at + 1, at + 4).some((next) => next.word.text === 'that'));
}

/** Whether a subject and its verb stand here, possibly after a time. */
function hasOwnVerb(tokens: readonly Token[], begin: number): boolean {
  const from = afterTime(tokens, begin);
  const first = tokens[from];
  if (!first || (from === begin && isFiniteVerbAt(tokens, from))) return false;
  const { text, verb, isStopWord } = first.word;
  if (SUBJECT_PRONOUNS.has(text)) return isFiniteVerbAt(tokens, from + 1);
  if (LEANING.has(text) || ADVERBS.has(text) || verb.isAdverb || verb.endsInIng || verb.isPastForm) return false;
  const own = verbOfSubject(tokens, from);
  const isMarked = first.isCapitalised || verb.isDeterminer || POSSESSIVES.has(text) || ABOUT_ALL.has(text) || first.word.hasDigit;
  return own >= 0 && (isMarked || (!isStopWord && isAuxiliaryAt(tokens, own)));
}

/** Whether an auxiliary stands here, with adverbs before it: "only had", "were". */
function isAuxiliaryAt(tokens: readonly Token[], verb: number): boolean {
  let at = verb;
  while (tokens[at]?.word.verb.isAdverb) at += 1;
  return AUXILIARIES.has(textAt(tokens, at));
}

/** The index of the verb of a subject that begins here; -1 if there is none. */
function verbOfSubject(tokens: readonly Token[], from: number): number {
  let hasPreposition = false;
  for (let at = from + 1; at <= from + MAX_SUBJECT_WORDS; at += 1) {
    const token = tokens[at];
    if (!token || (token.before & ~(SPACE | COMMA | DASH | APOSTROPHE)) !== 0) return -1;
    if (hasCommaBefore(token)) return verbBehindSetOff(tokens, at);
    if (isFiniteVerbAt(tokens, at)) return isVerbOf(tokens, at, hasPreposition) ? at : -1;
    if (LEANING.has(token.word.text)) return -1;
    hasPreposition ||= CONTINUING_SUBJECT.has(token.word.text);
  }
  return -1;
}

/** Whether a form is the subject's verb and not a participle as in "walls made of clay". */
function isVerbOf(tokens: readonly Token[], at: number, hasPreposition: boolean): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || AUXILIARIES.has(token.word.text)) return token !== undefined;
  if (hasPreposition) return false;
  const mayBeParticiple =
    isParticipleForm(token.word.text) && tokens[at - 1]?.isCapitalised === false && !INTRANSITIVE.has(token.word.text);
  return !(mayBeParticiple && next !== undefined && AFTER_PARTICIPLE.has(next.word.text));
}

const hasAuxiliary = (tokens: readonly Token[], begin: number): boolean => {
  const from = afterTime(tokens, begin);
  if (SUBJECT_PRONOUNS.has(textAt(tokens, from))) return true;
  return AUXILIARIES.has(textAt(tokens, verbOfSubject(tokens, from)));
};

/** The index of the subject after a time: "in 1986 the crew". */
function afterTime(tokens: readonly Token[], begin: number): number {
  const first = tokens[begin];
  if (!first || first.isCapitalised) return begin;
  if (TIMES.has(first.word.text) && !isFiniteVerbAt(tokens, begin)) return begin + 1;
  let last = -1;
  for (let at = begin; at <= begin + MAX_TIME_WORDS; at += 1) {
    const token = tokens[at];
    if (!token || (at > begin && token.before !== SPACE) || isFiniteVerbAt(tokens, at)) break;
    if (BEFORE_TIMES.has(first.word.text) && token.word.hasDigit) last = at;
  }
  return last < 0 ? begin : last + 1;
}
