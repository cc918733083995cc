import { COLON, SPACE } from './characters';
import { ARTICLES_OR_ONE, type Clause } from './clauses';
import { endBefore, hasWords, MIN_WORDS, openIn, type IsOpen } from './cuts';
import { joinsVerbs } from './joined-verbs';
import { needsWhatFollows } from './needed';
import { periodBehind } from './periods';
import { isNegationAt } from './polarity';
import type { Reading } from './reading';
import { hasCommaBefore, textAt, type Token } from './token';
import { CLAUSE_CONJUNCTIONS, CONTINUING, LIMITING, POSSESSIVES } from './function-words';

/** Conditions, without which the sentence would say something else. */
const CONDITIONAL = new Set(['provided', 'providing']);
const DANGLING = new Set(
  'and or but in at for with from as on by to of such after before until since the a an which who that where also both including given only because due thanks according instead so than although whereas whether'.split(
    ' ',
  ),
);

const BEGINS_ADDITION = CONTINUING.union(new Set(['because', 'although', 'though', 'whereas', 'thanks']));

/** Words that begin additional information. */
const CLOSING = new Set('who which when while where since until known and including'.split(' '));

/**
 * The beginnings of a part of a sentence that can stand without the rest: index after their last word and end in the text, longest first. English
 * only.
 */
export function earlyEndsOf({ text, tokens, tense }: Reading, { from, to }: Clause): { to: number; end: number; isClosed: boolean }[] {
  const ends: { to: number; end: number; isClosed: boolean }[] = [];
  let isOpen: IsOpen | undefined;
  const condition = conditionIn(tokens, { from, to });
  for (let at = from + MIN_WORDS; at < to && at <= condition; at += 1) {
    const token = tokens[at];
    if (!token || (token.before & SPACE) === 0) continue;
    // Does not cut a list after a colon: "Two are in use: A, made in Rome, and B".
    if ((token.before & COLON) !== 0) break;
    const isPurpose = token.word.text === 'so' && textAt(tokens, at + 1) === 'that';
    const isModifier = (isPurpose || BEGINS_ADDITION.has(token.word.text)) && !token.isCapitalised && (token.after & SPACE) !== 0;
    if (!isModifier && !hasCommaBefore(token)) continue;
    if (DANGLING.has(textAt(tokens, at - 1)) || dividesPhrase(tokens, at)) continue;
    if (tense === 'present' && LIMITING.has(token.word.text)) continue;
    isOpen ??= openIn(text);
    const end = endBefore(text, token.start);
    if (isOpen(end) && hasWords(tokens, isOpen, from, at, MIN_WORDS))
      ends.push({ to: at, end, isClosed: isPurpose || hasCommaBefore(token) || CLOSING.has(token.word.text) });
  }
  return ends.reverse();
}

/**
 * Where a condition begins that does not begin the clause; its end if there is none. Half a condition is another one: "is presumed if it has a turnover
 * of 7.5 billion" lacks "or …, and …".
 */
function conditionIn(tokens: readonly Token[], { from, to }: Pick<Clause, 'from' | 'to'>): number {
  let at = from + 1;
  while (at < to && !CONDITIONS.has(textAt(tokens, at))) at += 1;
  return at;
}
const CONDITIONS = new Set(['if', 'unless']);

const JOINING = new Set(['and', 'or', 'but']);

/** Nouns that need an "of": a founder or a part is always of something. */
const RELATED = new Set(
  `founder founders co-founder cofounder member members author creator director president chairman chairwoman chair head leader owner co-owner winner
recipient governor mayor son daughter wife widow father mother brother sister nephew descendant part half majority minority capital director-general chief
king queen inventor pioneer editor champion winners colleague colleagues friend friends student students pupil rival ally associate associates`.split(
    /\s+/,
  ),
);

/**
 * Whether a cut here would divide a unit: "her powerful" and "and soulful voice", a day and its year, "a member" and "of …", "killed" and "and
 * wounded many", "to determine" and its object, "10" and "to 20 days".
 */
function dividesPhrase(tokens: readonly Token[], at: number): boolean {
  const [earlier, before, token] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  if (!before || !token) return false;
  if (token.word.hasDigit) return before.word.hasDigit;
  if (hasCommaBefore(token) && CONDITIONAL.has(token.word.text)) return true;
  if (token.word.text === 'to' && (before.word.text === 'up' || (before.word.isAmount && tokens[at + 1]?.word.isAmount))) return true;
  if (needsWhatFollows(tokens, at)) return true;
  if ((before.word.isAmount || earlier?.word.isAmount) && periodBehind(tokens, at) !== null) return true;
  if (token.word.text === 'or' && !isDeniedBefore(tokens, at)) return true;
  if (isOfComparison(tokens, at)) return true;
  if (JOINING.has(token.word.text) && (isOfTwo(tokens, at) || (earlier?.word.hasDigit && tokens[at + 1]?.word.hasDigit))) return true;
  if (token.word.text === 'of') return isOfSomething(tokens, at) || before.isCapitalised;
  if (earlier?.word.text === 'to' && !before.isCapitalised && !before.word.isStopWord) return true;
  if (token.isCapitalised && beginsSubject(tokens, at - 2)) return true;
  if (JOINING.has(token.word.text) && POSSESSIVES.has(earlier?.word.text ?? '') && !before.isCapitalised) return true;
  if (goesOnAlike(tokens, at) || tellsWhich(tokens, at)) return true;
  if (!JOINING.has(token.word.text)) return false;
  // "In 2019 and 2020", unlike "in 2019, and shops complained".
  const mayBeListed = before.word.hasDigit && (!hasCommaBefore(token) || tokens[at + 1]?.word.hasDigit === true);
  return mayBeListed || before.word.verb.isAdverb || joinsVerbs(tokens, at);
}

/** Whether an alternative may be dropped, because each is denied: "no visa or passport". */
const isDeniedBefore = (tokens: readonly Token[], at: number): boolean =>
  tokens.some((_, place) => place < at && isNegationAt(tokens, place));

/** Whether a comparison goes on: "as large" and "as Ulm", "twice as likely as women" and "to develop it". */
function isOfComparison(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.word.text;
  if (text !== 'as' && text !== 'to') return false;
  const before = tokens.slice(Math.max(0, at - MAX_WORDS_OF_TWO), at);
  return before.some(({ word }) => word.text === (text === 'as' ? 'as' : 'likely'));
}

/** Whether "and" joins two things that belong together: "the collision of the Mont-Blanc and the Imo", "the border between Norway and Sweden". */
function isOfTwo(tokens: readonly Token[], and: number): boolean {
  for (let at = and - 1; at >= Math.max(0, and - MAX_WORDS_OF_TWO); at -= 1) {
    const [text, next] = [textAt(tokens, at), tokens[at + 1]?.word.text];
    if (text === 'between' || text === 'both' || (TAKES_TWO.has(text) && next === 'of')) return true;
    if (JOINING.has(text) || hasCommaBefore(tokens[at])) return false;
  }
  return false;
}
const TAKES_TWO = new Set('collision merger marriage union meeting combination mixture alliance treaty comparison'.split(' '));
/** Most words between the first of the two and "and". */
const MAX_WORDS_OF_TWO = 10;

/** Whether a possessive begins a new subject: "Her father was a sculptor, while her mother, Signe, drew". */
function beginsSubject(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!token || !POSSESSIVES.has(token.word.text)) return false;
  return hasCommaBefore(token) || CLAUSE_CONJUNCTIONS.has(before?.word.text ?? '');
}

/** Whether the word repeats a preposition after "and": "by 12 %" and "by 14 % and deaths". */
function goesOnAlike(tokens: readonly Token[], at: number): boolean {
  const and = tokens[at - 2]?.word.text === 'and' ? at - 2 : at - 3;
  const token = tokens[at];
  if (tokens[and]?.word.text !== 'and' || !token?.word.isStopWord || tokens[at - 1]?.isCapitalised) return false;
  return tokens.slice(Math.max(0, and - MAX_ALIKE_WORDS), and).some(({ word }) => word.text === token.word.text);
}

/** Whether a relative clause is needed to identify the noun: "the system on which it runs", "the man who left". */
function tellsWhich(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || hasCommaBefore(token)) return false;
  if (!IDENTIFYING.has(token.word.text) && !(next && (next.word.text === 'which' || next.word.text === 'whom'))) return false;
  for (let place = at - 1; place >= Math.max(0, at - MAX_NOUN_WORDS); place -= 1) {
    const text = textAt(tokens, place);
    if (ARTICLES_OR_ONE.has(text)) return text === 'the';
  }
  return false;
}

const IDENTIFYING = new Set('who whom which that'.split(' '));
/** Most words from an article to the relative clause. */
const MAX_NOUN_WORDS = 6;

/** Most words between a preposition and the "and" after which it is repeated. */
const MAX_ALIKE_WORDS = 4;

/** Whether the noun before "of" needs it: "a member", "the official flower", "founder". */
function isOfSomething(tokens: readonly Token[], of: number): boolean {
  const [article = '', other = '', noun = ''] = [tokens[of - 3], tokens[of - 2], tokens[of - 1]].map((token) => token?.word.text ?? '');
  return ARTICLES_OR_ONE.has(other) || (article === 'the' && tokens[of - 2]?.word.isStopWord === false) || RELATED.has(noun);
}
