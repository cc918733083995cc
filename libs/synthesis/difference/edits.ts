import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';
import { CommonSubsequence } from './common-subsequence';
import { meanTheSame } from './same-word';

/**
 * What an edit does to what is said: `denial` and `opposite` turn it round, as may a word that is `exchanged for a denial`, `opposed` does so only for one and the same time, `number`,
 * `quantifier` and `name` put one value in the place of another, `addition` says more on one side, and `other` cannot be told.
 */
export type EditKind =
  'denial' | 'exchanged for a denial' | 'opposite' | 'opposed' | 'number' | 'quantifier' | 'name' | 'addition' | 'other';

/** Where two statements part: the words of the one that stand in the place of the words of the other. One side may have none. */
export interface Edit {
  left: readonly Token[];
  right: readonly Token[];
  /** Where it begins among all words of each, and where its left side ends, exclusive. */
  leftFrom: number;
  leftTo: number;
  rightFrom: number;
  /** Something that both say stands before it, and something after it. */
  isWithin: boolean;
  /** What one adds is what the other speaks of, or a part of it: "the child of Ada". */
  addsHead: boolean;
  /** Null until `kindOf` has been asked for it. */
  kind: EditKind | null;
}

/** Two statements word by word. */
export interface Alignment {
  edits: readonly Edit[];
  /** How many meaningful words they share in the same order. */
  shared: number;
  /** How many more they share in another order. */
  moved: number;
}

/** Words that may come and go without changing what is said. */
const IDLE = new Set(
  `a an the that which also its his her their been being is are was were be has have had do does did of to in on at by for as with it he she they and then
  so thus however later serve serves served away there this these those own up out very further s quite rather completely totally entirely longer ever any anymore exactly even still`.split(
    /\s+/,
  ),
);

interface OpenEdit extends Edit {
  left: Token[];
  right: Token[];
}

/** Aligns the words of two statements by their longest common subsequence. What only stands elsewhere in the other one is no difference. */
export function alignWords({ tokens: left }: Reading, { tokens: right }: Reading): Alignment {
  const edits: OpenEdit[] = [];
  let open: OpenEdit | null = null;
  let editsBeforeLastShared = 0;
  let shared = 0;
  const steps = new CommonSubsequence(left, right);
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [mine, yours] = [left[l], right[r]];
    const step = steps.at(l, r);
    if (step === 'both' && mine) {
      if (!mine.word.isStopWord) {
        shared += 1;
        editsBeforeLastShared = edits.length;
      }
      // A word without a meaning of its own makes two differences of one only where each side of the first says something.
      if (open && (!IDLE.has(mine.word.text) || (saysSomething(open.left) && saysSomething(open.right)))) open = null;
      l += 1;
      r += 1;
      continue;
    }
    if (!open) edits.push((open = editFrom(l, r, shared > 0)));
    if (step === 'left') open.leftTo = l += 1;
    else r += 1;
    if (step === 'left' && mine) open.left.push(mine);
    else if (yours) open.right.push(yours);
  }
  for (const [at, edit] of edits.entries()) {
    if (at >= editsBeforeLastShared) edit.isWithin = false;
    edit.addsHead = isHead(edit.left) !== isHead(edit.right);
  }
  return withoutMoved(edits, shared);
}

const editFrom = (leftFrom: number, rightFrom: number, isWithin: boolean): OpenEdit => ({
  ...{ left: [], right: [] },
  ...{ leftFrom, leftTo: leftFrom, rightFrom, isWithin, addsHead: false, kind: null },
});

/** What is told of a place, kind or number of something, or of who leads or made it, is often told of it in fewer words: "the city of Rome". */
const NAMING = new Set(
  `city town village state province county district region island area field role position post rank title office game subject sport art language
number group type kind sort form use process act month year day member members one some most many all part parts series variety range set lot both each
department ministry university college school house bank republic kingdom people house chief head founder director president chairman creator author
editor leader captain winner`.split(/\s+/),
);

function isHead(tokens: readonly Token[]): boolean {
  let end = tokens.length;
  while (tokens[end - 1]?.word.text === 'the') end -= 1;
  const before = tokens[end - 2];
  return tokens[end - 1]?.word.text === 'of' && before !== undefined && !before.isCapitalised && !NAMING.has(before.word.text);
}

export const isIdle = ({ text, role, isNegated }: Word): boolean => IDLE.has(text) || (role === 'filler' && !isNegated);
const saysSomething = (tokens: readonly Token[]): boolean => !tokens.every(isIdleToken);

/** Without what says nothing, and what the other side says elsewhere. */
function withoutMoved(edits: readonly OpenEdit[], shared: number): Alignment {
  const lefts = edits.map(({ left }) => left);
  const rights = edits.map(({ right }) => right);
  const kept: Edit[] = [];
  let moved = 0;
  for (const edit of edits) {
    const left = without(edit.left, isIdleToken);
    const right = without(edit.right, isIdleToken);
    edit.left = without(left, (token) => isAmong(token, rights));
    edit.right = without(right, (token) => isAmong(token, lefts));
    moved += left.length - edit.left.length + right.length - edit.right.length;
    if (edit.left.length + edit.right.length > 0) kept.push(edit);
  }
  return { edits: kept, shared, moved: moved / 2 };
}

/** Mostly nothing is left out, and then nothing is copied. */
const without = (tokens: Token[], isLeftOut: (token: Token) => boolean): Token[] =>
  tokens.some(isLeftOut) ? tokens.filter((token) => !isLeftOut(token)) : tokens;

const isIdleToken = ({ word }: Token): boolean => isIdle(word);

function isAmong({ word }: Token, tokens: readonly (readonly Token[])[]): boolean {
  for (const some of tokens) for (const other of some) if (meanTheSame(word, other.word)) return true;
  return false;
}
