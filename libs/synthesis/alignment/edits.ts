import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import type { Edit } from './edit';
import { Partings, type Lone } from './partings';
import { WordRow } from './word-row';

/** Two statements aligned word by word. */
export interface WordAlignment {
  edits: readonly Edit[];
  /** How many meaningful words they share in the same order. */
  shared: number;
  /** How many more they share in another order. */
  moved: number;
}

const partings = new Partings();
/** The words of the last pair, kept because a statement is usually aligned with several others in a row. */
let lastLeft = new WordRow(new Reading('', []));
let lastRight = lastLeft;

/**
 * Aligns the words of two statements by their longest common subsequence. Words that only stand elsewhere in the other statement are not differences.
 */
export function alignWords(left: Reading, right: Reading): WordAlignment {
  if (lastLeft.reading !== left) lastLeft = new WordRow(left);
  if (lastRight.reading !== right) lastRight = new WordRow(right);
  partings.read(lastLeft, lastRight);
  return alignmentAt(partings, lastLeft, lastRight);
}

/** The differences between two statements, without meaningless words and without words that the other side has elsewhere. */
export function alignmentAt(partings: Partings, left: WordRow, right: WordRow): WordAlignment {
  const edits: Edit[] = [];
  for (let parting = 0; parting < partings.count; parting += 1)
    if (partings.mine.keptIn(parting) + partings.yours.keptIn(parting) > 0) edits.push(editAt(partings, parting, left, right));
  return { edits, shared: partings.shared, moved: partings.moved };
}

function editAt(partings: Partings, parting: number, left: WordRow, right: WordRow): Edit {
  const { mine, yours } = partings;
  return {
    left: keptIn(mine, parting, left),
    right: keptIn(yours, parting, right),
    leftFrom: partings.leftFrom[parting] ?? 0,
    leftTo: partings.leftTo[parting] ?? 0,
    rightFrom: partings.rightFrom[parting] ?? 0,
    isWithin: partings.isWithin(parting),
    addsHead: isHead(mine, parting, left) !== isHead(yours, parting, right),
    kind: null,
  };
}

const NO_TOKENS: readonly Token[] = [];

/** Usually none or one token, for which a growing array would take several times the memory. */
function keptIn(lone: Lone, parting: number, { tokens }: WordRow): readonly Token[] {
  const count = lone.keptIn(parting);
  if (count === 0) return NO_TOKENS;
  const kept: Token[] = [];
  const end = lone.from[parting + 1] ?? 0;
  for (let at = lone.from[parting] ?? 0; at < end; at += 1) {
    const token = lone.isKept[at] ? tokens[lone.places[at] ?? 0] : undefined;
    if (!token) continue;
    if (count === 1) return [token];
    kept.push(token);
  }
  return kept;
}

/** These nouns before "of" add little: "the city of Rome" is often just "Rome". The same holds for words for a leader or a maker. */
const NAMING = new Set(
  `city town village state province county district region island area field role position post rank title office game subject sport art language
number group type kind sort form use process act month year day member members one some most many all part parts series variety range set lot both each
department ministry university college school house bank republic kingdom people house chief head founder director president chairman creator author
editor leader captain winner`.split(/\s+/),
);

function isHead({ places, from }: Lone, parting: number, { tokens }: WordRow): boolean {
  const first = from[parting] ?? 0;
  let last = (from[parting + 1] ?? 0) - 1;
  while (last >= first && tokens[places[last] ?? 0]?.word.text === 'the') last -= 1;
  if (last <= first || tokens[places[last] ?? 0]?.word.text !== 'of') return false;
  const before = tokens[places[last - 1] ?? 0];
  return before !== undefined && !before.isCapitalised && !NAMING.has(before.word.text);
}
