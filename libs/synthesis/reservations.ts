import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { meanTheSame } from './difference/same-word';

/** Before a verb they say that somebody says so, or that nobody knows. */
const REPORTING = new Set(
  `according claim claims claimed claiming say says said argue argues argued believe believes believed think thinks thought suspect suspects suspected
allege alleges alleged suggest suggests suggested assert asserts asserted insist insists insisted deny denies denied doubt doubts doubted fear fears feared
assume assumes assumed speculate speculates speculated rumour rumours rumoured rumor rumors rumored legend myth tradition argument argues
theory hypothesis allegation allegations accusation accusations accuse accuses accused suspicion belief supposed supposedly allegedly reportedly purportedly
whether nobody`.split(/\s+/),
);
/** What follows with "to" did not happen yet, if ever. Somebody who "went on to win" or "managed to win" won. */
const INTENDING = new Set(
  `is are was were be been plan plans planned planning expect expects expected agree agrees agreed offer offers offered apply applies applied hope hopes
hoped want wants wanted intend intends intended try tries tried attempt attempts attempted ask asks asked seek seeks sought design designed schedule
scheduled due set promise promises promised threaten threatens threatened vow vows vowed propose proposes proposed invite invites invited allow allowed
require required oblige obliged order ordered ready willing refuse refuses refused fail fails failed decline declines declined likely unlikely
supposed proposal pledged pledge obligation`.split(/\s+/),
);
const CONDITIONS = new Set('if unless provided'.split(' '));
/** Of these something may hold without holding of all. */
const POPULATIONS = new Set(
  `mice rats rodents animals dogs cats monkeys cells vitro women men children adults infants babies patients smokers boys girls teenagers adolescents
theory principle paper night winter summer`.split(/\s+/),
);
const OF_SOME = new Set(['in', 'among', 'amongst', 'on', 'at', 'for']);
const PARTITIVE = new Set('part parts half third quarter most majority minority some few portion fraction section many much'.split(' '));
/** At the beginning they limit what follows: "Only members may vote". */
const LIMITING = new Set('only almost nearly except hardly scarcely barely not outside unlike mostly partly'.split(' '));
const RANKING = /^(?:first|last|only|\p{L}{3,}est)$/u;
/** "In the novel": what is told of there need not be so. */
const STORIES = new Set('novel book play film movie story series game opera poem sketch episode fable myth legend'.split(' '));
const PLAYING = new Set(
  'play plays played star stars starred appear appears appeared sing sings sang voice voices voiced direct directs directed'.split(' '),
);
const COORDINATING = new Set('and but while whereas'.split(' '));
const RELATIVES = new Set('who which whose'.split(' '));

/**
 * Whether another sentence says what one says only with a reservation that the one does not make: at somebody's word, as a plan, under a
 * condition, or of a part or a kind of what the one speaks of. English.
 */
export function isSaidWithReservation(inner: Reading, outer: Reading): boolean {
  if (isLimited(inner.tokens, outer.tokens) || ranksFewer(inner.tokens, outer.tokens) || ranksFewer(outer.tokens, inner.tokens))
    return true;
  const own = inner.tokens.findIndex(({ word }, at) => at >= inner.subjectEnd && !word.isStopWord);
  const verb = inner.tokens[own];
  if (!verb) return false;
  const places = outer.tokens.flatMap(({ word }, at) => (meanTheSame(word, verb.word) ? [at] : []));
  const isPlan = isIntended(inner.tokens, own);
  return (
    places.length > 0 && places.every((place) => isPlan !== isIntended(outer.tokens, place) || isReservedAt(inner, outer.tokens, place))
  );
}

/** By the word that the other begins with, or by a story that it tells of. */
function isLimited(mine: readonly Token[], [first, second, third, ...others]: readonly Token[]): boolean {
  if (!first || isAmong(first, mine)) return false;
  if (LIMITING.has(first.word.text)) return true;
  const isInStory = first.word.text === 'in' && second?.word.text === 'the' && third !== undefined && STORIES.has(third.word.text);
  return isInStory && !isAmong(third, mine) && !others.some(({ word }) => PLAYING.has(word.text));
}

/** "The first Norlandic woman to climb it" need not be the first woman. */
function ranksFewer(mine: readonly Token[], theirs: readonly Token[]): boolean {
  return mine.some((rank, at) => {
    const next = mine[at + 1];
    if (!next || rank.isCapitalised || !RANKING.test(rank.word.text) || next.word.isStopWord) return false;
    const place = theirs.findIndex(({ word }, other) => word.text === rank.word.text && !isAmong(theirs[other + 1], mine));
    const added = theirs[place + 1];
    return place >= 0 && added !== undefined && !added.word.isStopWord && meanTheSame(theirs[place + 2]?.word ?? added.word, next.word);
  });
}

function isReservedAt(inner: Reading, tokens: readonly Token[], verb: number): boolean {
  const isAdded = (token: Token): boolean => (!token.isCapitalised || token === tokens[0]) && !isAmong(token, inner.tokens);
  const from = clauseBegin(tokens, verb);
  const begin = tokens.slice(from, verb);
  if (
    begin.some((token) => token.word.text === 'whose' && isAdded(token)) &&
    outsideRelatives(tokens.slice(from, verb + 1)).at(-1) !== tokens[verb]
  )
    return true;
  const before = outsideRelatives(begin);
  if (before.some((token) => REPORTING.has(token.word.text) && isAdded(token))) return true;
  if (before.some((token, at) => PARTITIVE.has(token.word.text) && isAdded(token) && before[at + 1]?.word.text === 'of')) return true;
  const to = clauseEnd(tokens, verb);
  return tokens.some((token, at) => {
    if (at < from || at >= to || !isAdded(token)) return false;
    const { text } = token.word;
    if (CONDITIONS.has(text) || (at > verb && AFTERTHOUGHTS.has(text))) return true;
    return POPULATIONS.has(text) && OF_SOME.has(tokens[at - 1]?.word.text ?? '');
  });
}

const AFTERTHOUGHTS = new Set('according reportedly allegedly supposedly'.split(' '));

const isAmong = (token: Token | undefined, tokens: readonly Token[]): boolean =>
  token !== undefined && tokens.some(({ word }) => meanTheSame(word, token.word));

/** "Was to open", "is expected to open". */
function isIntended(tokens: readonly Token[], verb: number): boolean {
  let at = verb - 1;
  while (tokens[at]?.word.verb.isAdverb || tokens[at]?.word.text === 'be' || tokens[at]?.word.text === 'have') at -= 1;
  return tokens[at]?.word.text === 'to' && INTENDING.has(tokens[at - 1]?.word.text ?? '');
}

function clauseBegin(tokens: readonly Token[], verb: number): number {
  for (let at = verb; at > 0; at -= 1) {
    const token = tokens[at];
    if (token && ((token.before & SEMICOLON) !== 0 || (at < verb && COORDINATING.has(token.word.text)))) return at;
  }
  return 0;
}

function clauseEnd(tokens: readonly Token[], verb: number): number {
  const end = tokens.findIndex((token, at) => at > verb && ((token.before & SEMICOLON) !== 0 || COORDINATING.has(token.word.text)));
  return end < 0 ? tokens.length : end;
}

/** Without ", who says that he is shy,". */
function outsideRelatives(tokens: readonly Token[]): Token[] {
  let isWithin = false;
  return tokens.filter((token, at) => {
    const isAfterComma = at > 0 && (token.before & COMMA) !== 0;
    if (isAfterComma) isWithin = RELATIVES.has(token.word.text);
    return !isWithin;
  });
}
