import { ARTICLES } from '@lib/language/reading/articles';
import type { ContradictionCue } from '@lib/domain/vocabulary';
import { compareAmounts } from '@lib/language/reading/amount-comparison';
import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import { sameDates } from '@lib/language/reading/dates';
import { stemsOf } from '@lib/language/reading/lexicon';
import { areSiblings } from '@lib/language/reading/opposites';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isContentWord, type Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';
import { describesBy } from './denials';
import { isBesideThePoint, type Compared } from './compared';
import type { Edit } from '../alignment/edit';
import { isAffirming, kindOf } from '../alignment/edit-kinds';
import { numberConflict } from './number-conflict';
import { namesExclude } from './single-values';
import { exchangesObject } from './thing-of-event';
import { areNegatedAlike, areNegatedAlikeInAll } from './same-terms';

/** Why two statements under the same conditions cannot both hold because of this edit; null if they can, or if another difference may explain it. */
export function conflictAt(compared: Compared, edit: Edit): ContradictionCue | null {
  const { left, right, telling, besides, shared } = compared;
  const kind = kindOf(edit);
  if (kind === 'number') return numberConflict(compared);
  if (telling.some((other) => other !== edit && !isBesideThePoint(compared, other))) return null;
  if (kind === 'quantifier') return hasNot(edit) ? null : 'quantity';
  if (hedgesBeside(left, edit.left, edit.right) !== hedgesBeside(right, edit.right, edit.left) || !sameDates(left.dates, right.dates))
    return null;
  if (telling.length === 1 && compareAmounts(left.amounts, right.amounts).kind !== 'same') return null;
  if (kind === 'exchanged for a denial' && (telling.length > 1 || shared < MIN_SHARED_AROUND_DENIAL)) return null;
  if (kind === 'denial' || kind === 'exchanged for a denial') return isDenied(edit, left, right, besides) ? 'polarity' : null;
  if (kind === 'opposite' || (kind === 'opposed' && (left.dates.length > 0 || isQualityOfCopy(compared, edit))))
    return isTurnedRound(edit, left, right) ? 'direction' : null;
  return kind === 'name' && besides.length === 0 && namesExclude(left, right, edit) && !exchangesObject(compared, edit) ? 'value' : null;
}

/** Whether a quantity is negated: "not many" means few. */
const hasNot = ({ left, right }: Edit): boolean =>
  [left, right].some((words) =>
    words.some(({ word }, at) => word.text === 'not' && /^(?:many|much)$/.test(words[at + 1]?.word.text ?? '')),
  );

/** Whether the edit exchanges words for different things of a kind: "a monthly fee of 1 percent" and "an annual fee of 2 percent" are two fees. */
export const exchangesSiblings = ({ left, right }: Edit): boolean =>
  left.some(({ word: mine }) => right.some(({ word: yours }) => areSiblings(mine.stem, yours.stem)));

const MIN_SHARED_AROUND_DENIAL = 4;

/** Whether the added words are a clause with its own subject, which denies nothing before it: "…; the government declined". */
function tellsOfAnother(edit: Edit, left: Reading, right: Reading): boolean {
  if (edit.left.length > 0 && edit.right.length > 0) return false;
  const [words, { tokens }] = edit.left.length > 0 ? [edit.left, left] : [edit.right, right];
  const first = words[0] ? tokens.indexOf(words[0]) : 0;
  const begin = tokens.slice(0, first + 1).findLastIndex(({ before }) => (before & (COMMA | SEMICOLON)) !== 0);
  const verb = words.findIndex(isFiniteOrPast);
  return (
    begin > 0 && verb > 0 && tokens.slice(begin, first).every(({ word }) => word.isStopWord) && words.slice(0, verb).some(isContentWord)
  );
}

/**
 * Whether the edit denies what the other side affirms. A negation applies to the whole statement; a verb such as "refuse" only if there is no
 * negation. A general denial covers each case, but not the other way round, so the denying side may not say more than the other.
 */
function isDenied(edit: Edit, left: Reading, right: Reading, besides: readonly Edit[]): boolean {
  if (LEAVES_OPEN.test(hedgesBeside(left, edit.left, edit.right)) || !mayBeOfOneTime(left, right) || tellsOfAnother(edit, left, right))
    return false;
  if (describesBy(left) || describesBy(right)) return false;
  const isVerbAlone = areNegatedAlike(left, right);
  const isNegation = [...edit.left, ...edit.right].some(({ word }) => isNegated(word) || (word.isNegationBeforeTo && !isVerbAlone));
  if (
    !isNegation &&
    (tellsWhen(left, edit.left) || tellsWhen(right, edit.right) || isWished(left, edit.left) || isWished(right, edit.right))
  )
    return false;
  const all = [edit, ...besides].flatMap((one) => [...one.left, ...one.right]);
  if (all.some(({ word }) => HARDLY_DONE.has(word.text))) return false;
  const deniesLeft = isNegation ? left.polarity.isNegated : edit.left.some((token) => !isAffirming(token));
  if (besides.some((other) => [...other.left, ...other.right].some(({ word }) => word.text === 'free'))) return false;
  if (besides.some((other) => (deniesLeft ? other.left : other.right).some(({ word }) => !EMPTY.has(word.text)))) return false;
  if (!isNegation) return areNegatedAlike(left, right);
  return !areNegatedAlike(left, right) && Math.min(left.polarity.negations.length, right.polarity.negations.length) === 0;
}

/** Words that come close to a negation: "hard to exclude" means hardly excluded. */
export const HARDLY_DONE = new Set('hard difficult tough tricky unlikely rarely seldom'.split(' '));

/** Whether the edited words are in a clause of time: "It had 31 open findings when it failed". */
function tellsWhen({ tokens }: Reading, edited: readonly Token[]): boolean {
  return edited.some((token) => {
    const at = tokens.indexOf(token);
    const clause = tokens.slice(0, at + 1);
    const begin = clause.findLastIndex(({ before }, place) => place > 0 && (before & COMMA) !== 0);
    return clause.slice(Math.max(1, begin)).some(({ word }) => TELLING_WHEN.has(word.text));
  });
}
const TELLING_WHEN = new Set('when before after until while'.split(' '));

/** Whether the denial is only a wish, and thus not a fact: "called for the repeal of the law". */
const isWished = ({ tokens }: Reading, edited: readonly Token[]): boolean =>
  edited.some((token) => {
    const before = isAffirming(token) ? [] : tokens.slice(0, tokens.indexOf(token));
    const wish = before.findLastIndex(({ word }) => word.text === 'for');
    return wish > 0 && before.length - wish <= MAX_WORDS_OF_WISH && WISHING.has(before[wish - 1]?.word.stem ?? '');
  });
const WISHING = stemsOf('call ask push campaign plead lobby');
const MAX_WORDS_OF_WISH = 4;

/**
 * Whether a quality is exchanged in otherwise equal statements: "as a defensive end", "as an offensive end". A thing has only one such role, while a
 * phrase such as "there is" could apply to both.
 */
function isQualityOfCopy({ left: { tokens }, telling, besides, shared }: Compared, { left, right }: Edit): boolean {
  if (telling.length > 1 || besides.length > 0 || shared < MIN_SHARED_AROUND_QUALITY || left.length + right.length > 2) return false;
  const at = left[0] ? tokens.indexOf(left[0]) - 1 : -1;
  const before = tokens[at - (ARTICLES.has(tokens[at]?.word.text ?? '') ? 1 : 0)];
  if (!before || !BEFORE_QUALITY.has(before.word.text)) return false;
  return ![...left, ...right].some(({ word: { verb } }) => verb.isFinite || verb.isPastForm || verb.endsInIng);
}

const MIN_SHARED_AROUND_QUALITY = 7;
const BEFORE_QUALITY = new Set('as is are was were be been being become becomes became remain remains remained'.split(' '));

const DENYING_ALWAYS = new Set('never cannot unable none nonexistent impossible'.split(' '));

/** The hedges that still count: where the other side has "never" or "cannot", those exchanged for it do not ("may be" and "can never be used"). */
function hedgesBeside({ effects: { hedge } }: Reading, mine: readonly Token[], yours: readonly Token[]): string {
  if (hedge === '' || !yours.some(({ word }) => DENYING_ALWAYS.has(word.text))) return hedge;
  const denied = mine.filter(({ word }) => word.effect === 'hedge').map(({ word }) => word.text);
  return hedge
    .split(' ')
    .filter((word) => !denied.includes(word))
    .join(' ');
}

/** Different tenses may mean the same time if there is a date, after "does not", or in the perfect. */
function mayBeOfOneTime(left: Reading, right: Reading): boolean {
  if (left.tense === right.tense || left.dates.length > 0) return true;
  return [left, right].some(({ tokens, tense }) => tense === 'present' && tokens.some((_, at) => isSupportedOrPerfect(tokens, at)));
}

/** Whether a token is such an auxiliary: "do not prevent", "has been", "have never seen". */
function isSupportedOrPerfect(tokens: readonly Token[], at: number): boolean {
  const [auxiliary, next, after] = [tokens[at]?.word.text ?? '', tokens[at + 1]?.word, tokens[at + 2]?.word];
  if (auxiliary === 'do' || auxiliary === 'does') return next?.isNegation === true;
  if (auxiliary !== 'has' && auxiliary !== 'have') return false;
  return [next, after].some((word) => word !== undefined && (word.text === 'been' || word.verb.isPastForm));
}

/** These only strengthen a denial: "no books or papers of any sort". */
const EMPTY = new Set('or any sort kind ever'.split(' '));

const isNegated = (word: Word): boolean => word.isNegation || word.isNegated;

/** Whether nothing else reverses the edit again, neither a negation nor another pair of opposites. */
function isTurnedRound(edit: Edit, left: Reading, right: Reading): boolean {
  if (!areNegatedAlikeInAll(left, right)) return false;
  const others = ({ directions }: Reading, edited: readonly Token[]): string =>
    directions
      .filter((token) => !edited.includes(token))
      .map(({ word }) => word.stem)
      .sort()
      .join(' ');
  return others(left, edit.left) === others(right, edit.right);
}

/** With such a word a statement and its denial can both hold. */
const LEAVES_OPEN = /\b(?:may|might|could|possibly|perhaps|some|several|few|certain|partly|partially|sometimes)\b/;
