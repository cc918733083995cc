import { MOVING, UNMOVED } from '@lib/language/reading/movements';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isDeniedAt } from '../difference/denials';
import { isAmong } from '../alignment/same-word';

const KEPT: ReadonlySet<string> = new Set([...UNMOVED, 'unaffected', 'equally']);
/** Negated, these say that something stays the same: "did not change", "are not affected", "hardly differed". */
const CHANGING = new Set(
  'change changed changes affect affected affects differ differs differed alter altered alters vary varied varies'.split(' '),
);
const REMAKING = new Set('rewrite rewritten revise revised modify modified adapt adapted'.split(' '));
const BARELY = new Set('hardly barely scarcely'.split(' '));
const COMPARED = new Set('higher lower larger smaller slower faster more fewer less longer shorter twice worse better'.split(' '));
/** Most words from "hardly" to its verb, and from "or" to "no change". */
const MAX_WORDS_BETWEEN = 2;

/**
 * Whether one of two claims on one point says that something stays the same, or is the same as elsewhere, and the other how it changed: "sales were
 * unchanged" and "dropped by 6 %".
 */
export const moveAndKeep = ({ tokens: mine }: Reading, { tokens: theirs }: Reading): boolean =>
  ((isKept(mine) && isMoved(theirs)) || (isKept(theirs) && isMoved(mine))) && !isOnlyEqual(mine, theirs) && !isOnlyEqual(theirs, mine);

/**
 * After "equally" the claims must share at least two content words: "The bridge side matters equally" and "the legal side is less settled" do not.
 */
const isOnlyEqual = (tokens: readonly Token[], others: readonly Token[]): boolean =>
  tokens.some(({ word }) => word.text === 'equally') &&
  tokens.filter((token) => isContentWord(token) && isAmong(token, others)).length < MIN_SHARED;
const MIN_SHARED = 2;

const isKept = (tokens: readonly Token[]): boolean =>
  tokens.some(
    ({ word }, at) =>
      (KEPT.has(word.text) && !isHardly(tokens, at) && !isRelease(tokens, at)) ||
      (CHANGING.has(word.text) && isHardly(tokens, at) && !isChoice(tokens, at)),
  ) && !tokens.some(moves);

/** Whether "stable" refers to a software release: "stable since October". */
const isRelease = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.word.text === 'stable' && RELEASED.has(textAt(tokens, at + 1));
const RELEASED = new Set('since as in release releases version versions'.split(' '));

/** Whether "no change" is one of several options: "were put on a diet, or on no change". */
const isChoice = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.word.text === 'no' &&
  tokens.slice(Math.max(0, at - 1 - MAX_WORDS_BETWEEN), at - 1).some(({ word }) => CHOOSING.has(word.text));
const CHOOSING = new Set('or to versus vs against'.split(' '));

const isMoved = (tokens: readonly Token[]): boolean =>
  tokens.some(moves) && !tokens.some(({ word }, at) => KEPT.has(word.text) || isNoEffect(tokens, at));

/** "Found no effect on bone density, although hip strength improved". */
const isNoEffect = (tokens: readonly Token[], at: number): boolean =>
  EFFECT.has(textAt(tokens, at)) && (textAt(tokens, at - 1) === 'no' || textAt(tokens, at - 2) === 'no');
const EFFECT = new Set('effect effects difference differences change changes benefit benefits impact association improvement'.split(' '));

const moves = ({ word }: Token, at: number, tokens: readonly Token[]): boolean =>
  (COMPARED.has(word.text) || REMAKING.has(word.text) || (MOVING.has(word.stem) && !CHANGING.has(word.text))) && !isHardly(tokens, at);

const isHardly = (tokens: readonly Token[], at: number): boolean =>
  isDeniedAt(tokens, at) || tokens.slice(Math.max(0, at - MAX_WORDS_BETWEEN), at).some(({ word }) => BARELY.has(word.text));
