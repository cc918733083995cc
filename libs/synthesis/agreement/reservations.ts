import { CLAUSE_CONJUNCTIONS, CONTINUING, MODALS_AND_DO, POSSESSIVES, SUBORDINATORS } from '@lib/language/reading/function-words';
import { tellsRank } from '../difference/superlatives';
import { SEMICOLON } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isAmong, meanTheSame } from '../alignment/same-word';
import { isVerbAt } from '../roles/verb-and-object';
import { mayBeUndone, isOnlyUndone } from './undone';
import { outsideRelatives, RELATIVES_BEHIND_COMMA } from './relative-clauses';
import { isQuantity } from './said-otherwise';
import { isAfterthought, isAttributed } from '../difference/attribution';

const CONDITIONS = new Set('if unless'.split(' '));
const SUBJECTS = new Set('the a an it he she they there'.split(' '));
/** A finding about some of these does not necessarily hold for all. */
const POPULATIONS = new Set(
  `mice rats rodents animals dogs cats monkeys cells vitro women men children adults infants babies patients smokers boys girls teenagers adolescents
theory principle paper night winter summer`.split(/\s+/),
);
/** After these, "on mice" names the topic, not the group studied. */
const WRITINGS = new Set('paper papers book books article articles essay treatise thesis lecture'.split(' '));
const OF_SOME = new Set(['in', 'among', 'amongst', 'on', 'at', 'for']);
const PARTITIVE = new Set('part parts half third quarter most majority minority some few portion fraction section many much'.split(' '));
/** At the beginning of a sentence these limit what follows: "Only members may vote". */
const LIMITING = new Set('only almost nearly except hardly scarcely barely not outside unlike mostly partly'.split(' '));
const EXCEPTING = new Set('except outside'.split(' '));
/** After "In the novel", the events told may be fictional. */
const STORIES = new Set('novel book play film movie story series game opera poem sketch episode fable myth legend'.split(' '));
/** Not necessarily fiction, if the sentence says that somebody describes something in it. */
const WRITTEN = new Set('book play series game'.split(' '));
const DESCRIBING = new Set(
  'describe describes described write writes wrote argue argues argued explain explains explained discuss discusses discussed'.split(' '),
);
const PLAYING = new Set(
  'play plays played star stars starred appear appears appeared sing sings sang voice voices voiced direct directs directed'.split(' '),
);

/** "It is not copied before version 19" does not say that it is not copied. */
const LIMITING_DENIAL = new Set('before until till unless except without outside'.split(' '));

/**
 * Whether the outer sentence says the same as the inner one, but with a reservation that the inner one lacks: as somebody's claim, as a plan, under a
 * condition, or only for a part or a kind of the subject. English.
 */
export function isSaidWithReservation(inner: Reading, outer: Reading): boolean {
  if (
    isLimited(inner.tokens, outer.tokens) ||
    ranksWithin(inner.tokens, outer.tokens) ||
    ranksFewer(inner.tokens, outer.tokens) ||
    ranksFewer(outer.tokens, inner.tokens)
  )
    return true;
  if (isOnlyUndone(inner.tokens, outer.tokens)) return true;
  const own = verbOf(inner);
  const verb = inner.tokens[own];
  if (!verb) return false;
  const places = placesInContext(inner.tokens, own, outer.tokens);
  const isPlan = mayBeUndone(inner.tokens, own);
  const mayBePlan = MODALS_AND_DO.has(textAt(inner.tokens, own - 1));
  return (
    places.length > 0 &&
    places.every((place) => (!mayBePlan && isPlan !== mayBeUndone(outer.tokens, place)) || isReservedAt(inner, outer.tokens, place))
  );
}

/** Where the first word behind the subject stands that tells something, or the first verb behind a phrase that a comma ends: "Because of it, sales fell". */
function verbOf({ tokens, subjectEnd }: Reading): number {
  const comma = BEGINS_PHRASE.has(textAt(tokens, 0)) ? tokens.findIndex(hasCommaBefore) : -1;
  if (comma > 0)
    return tokens.findIndex((token, at) => at > comma && !token.word.isStopWord && (isVerbAt(tokens, at) || isFiniteVerbAt(tokens, at)));
  return tokens.findIndex(({ word }, at) => at >= subjectEnd && !word.isStopWord);
}

const BEGINS_PHRASE = CONTINUING.union(SUBORDINATORS);

/** The places of a word in the other sentence; if several, those with the longest run of equal words after it. */
function placesInContext(mine: readonly Token[], own: number, theirs: readonly Token[]): number[] {
  const goesOn = (place: number, offset: number): boolean => {
    const [one, other] = [mine[own + offset], theirs[place + offset]];
    return one !== undefined && other !== undefined && meanTheSame(one.word, other.word);
  };
  const runs = theirs.map((_, place) => {
    let length = 0;
    while (goesOn(place, length)) length += 1;
    return length;
  });
  const longest = Math.max(1, ...runs);
  return runs.flatMap((length, place) => (length === longest ? [place] : []));
}

/** Whether the first word of the other sentence limits it, or the sentence tells of a story. */
function isLimited(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const [first, second, third, ...others] = theirs;
  if (!first) return false;
  if (LIMITING.has(first.word.text) && !isAmong(first, mine))
    return !(first.word.text === 'only' && isQuantity(second)) && !endsIntroduction(mine, theirs);
  const isInStory = first.word.text === 'in' && second?.word.text === 'the' && third !== undefined && STORIES.has(third.word.text);
  if (!isInStory || isAmong(third, mine)) return false;
  const isDescribed = WRITTEN.has(third.word.text) && others.some(({ word }) => DESCRIBING.has(word.text));
  return !isDescribed && !others.some(({ word }) => PLAYING.has(word.text));
}

/**
 * Whether the limit only applies to an introduction before the subject: "Partly funded by Norland, the canal". "Except for two" and "outside Norland"
 * also limit the subject.
 */
function endsIntroduction([subject]: readonly Token[], theirs: readonly Token[]): boolean {
  const [first, second, third] = theirs;
  const named = second?.word.text === 'of' ? third : second;
  if (first && EXCEPTING.has(first.word.text) && !(first.word.text === 'outside' && POSSESSIVES.has(named?.word.text ?? ''))) return false;
  return theirs.some((token, at) => at > 0 && hasCommaBefore(token) && token.word.text === subject?.word.text);
}

/** "The first Norlandic woman to climb it" was not necessarily the first woman. */
function ranksFewer(mine: readonly Token[], theirs: readonly Token[]): boolean {
  return mine.some((rank, at) => {
    const next = mine[at + 1];
    if (!next || rank.isCapitalised || !tellsRank(rank.word.text) || next.word.isStopWord) return false;
    const place = theirs.findIndex(({ word }, other) => word.text === rank.word.text && !isAmong(theirs[other + 1], mine));
    const added = theirs[place + 1];
    if (place < 0 || !added || WIDE.has(added.word.text)) return false;
    return !added.word.isStopWord && meanTheSame(theirs[place + 2]?.word ?? added.word, next.word);
  });
}

/** Whether the other one ranks among some only: "the last natural case of variola major" is not the last natural case. */
function ranksWithin(mine: readonly Token[], theirs: readonly Token[]): boolean {
  return mine.some((rank, at) => {
    if (!tellsRank(rank.word.text) || rank.isCapitalised) return false;
    const place = theirs.findIndex(({ word }) => word.text === rank.word.text);
    const length = mine.slice(at).findIndex(({ word }, offset) => word.text !== theirs[place + offset]?.word.text);
    const end = place + (length < 0 ? mine.length - at : length);
    if (place < 0 || end < place + 2 || textAt(theirs, end) !== 'of') return false;
    const among = theirs.slice(end).find(({ word }) => !word.isStopWord);
    return among !== undefined && !isAmong(among, mine);
  });
}

/** These do not narrow a superlative: the highest known is still the highest. */
const WIDE = new Set('known single ever overall recorded'.split(' '));

function isReservedAt(inner: Reading, tokens: readonly Token[], verb: number): boolean {
  const isAdded = (token: Token): boolean => (!token.isCapitalised || token === tokens[0]) && !isAmong(token, inner.tokens);
  const from = clauseBegin(tokens, verb);
  const begin = tokens.slice(from, verb);
  if (
    begin.some((token) => token.word.text === 'whose' && isAdded(token)) &&
    outsideRelatives(tokens.slice(from, verb + 1)).at(-1) !== tokens[verb]
  )
    return true;
  const before = ownClause(tokens.slice(from, verb + 1)).slice(0, -1);
  if (isAttributed(before, inner, isAdded)) return true;
  if (before.some((token, at) => PARTITIVE.has(token.word.text) && isAdded(token) && isPartOfSubject(before, at))) return true;
  const to = clauseEnd(tokens, verb);
  return tokens.some((token, at) => {
    if (at < from || at >= to || !isAdded(token)) return false;
    const limitsDenial = inner.hasNegation && at > verb && LIMITING_DENIAL.has(token.word.text);
    return limitsDenial || isCondition(tokens, at) || (at > verb && isAfterthought(tokens, at)) || isPopulation(tokens, at);
  });
}

/** "After many of its ships sank, the line moved" is about the whole line. */
function isPartOfSubject(before: readonly Token[], at: number): boolean {
  const comma = before.findLastIndex(hasCommaBefore);
  return before[at + 1]?.word.text === 'of' && !before.some((_, place) => place > at + 1 && place < comma && isFiniteVerbAt(before, place));
}

/**
 * Whether a word introduces a condition: "provided that it rains", "provided the council agrees", but not "provided with engines" or "they provided
 * the engines".
 */
function isCondition(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || token.word.text !== 'provided') return token !== undefined && CONDITIONS.has(token.word.text);
  if (next?.word.text === 'that') return true;
  return (at === 0 || hasCommaBefore(token)) && next !== undefined && (next.isCapitalised || SUBJECTS.has(next.word.text));
}

function isPopulation(tokens: readonly Token[], at: number): boolean {
  const [about, place] = [textAt(tokens, at - 2), textAt(tokens, at - 1)];
  return POPULATIONS.has(textAt(tokens, at)) && OF_SOME.has(place) && !(place === 'on' && WRITINGS.has(about));
}

function clauseBegin(tokens: readonly Token[], verb: number): number {
  for (let at = verb; at > 0; at -= 1) {
    const token = tokens[at];
    if (token && ((token.before & SEMICOLON) !== 0 || (at < verb && CLAUSE_CONJUNCTIONS.has(token.word.text)))) return at;
  }
  return 0;
}

function clauseEnd(tokens: readonly Token[], verb: number): number {
  const end = tokens.findIndex((token, at) => at > verb && ((token.before & SEMICOLON) !== 0 || CLAUSE_CONJUNCTIONS.has(token.word.text)));
  return end < 0 ? tokens.length : end;
}

/** The clause of the last word: the relative clause if it contains that word, as in "he argued the case, which the court decided". */
function ownClause(tokens: readonly Token[]): readonly Token[] {
  const others = outsideRelatives(tokens);
  if (others.at(-1) === tokens.at(-1)) return others;
  return tokens.slice(tokens.findLastIndex((token, at) => at > 0 && hasCommaBefore(token) && RELATIVES_BEHIND_COMMA.has(token.word.text)));
}
