import type { ContradictionCue } from '@lib/domain/vocabulary';
import { areWordedAlike } from '@lib/language/reading/plain-wording';
import { haveCommon } from '@lib/language/sets';
import type { Comparison } from '../comparison/comparison';
import { surelySpeakOfOne } from '../comparison/headings';
import { namesItself } from '../statement/above';
import type { Statement } from '../statement/statement';
import { headOfCell } from '../statement/table-row';
import { alignTerms, differsInBoth } from '../alignment/term-alignment';
import { differInDirection } from './direction';
import { conflictingLives } from './lives';
import { differInOneValue, mayDifferInOneValue } from './one-value';
import { isLabelled } from './main-part';
import { areNearlyAlike, differInPolarity } from './polarity';
import { differInQuantity } from './quantity';
import { stanceBetween } from './stance';
import { differInValue } from './value';
import { SharedTerms } from './shared-terms';
import { sidesOf, type Side } from './side';
import { conflictBetween } from '../difference/conflict-between';
import { Partings } from '../alignment/partings';
import { Similarity } from '../comparison/similarity';

/** Two statements of different providers that cannot both hold, with the cue that shows it. */
export interface Contradiction {
  left: Statement;
  right: Statement;
  cue: ContradictionCue;
}

/** Share of each statement's weight that the other must have for the pair to be examined. */
const WORTH_READING = 0.2;
/** Two statements are compared word by word from this share of the heavier one's weight on. */
const MOSTLY_SAME = 0.3;
/** Most words that only one of the two may have. With more, several things differ; this limit spares long reports most comparisons. */
const MAX_APART = 6;

/**
 * Contradictions between statements, each pair once and in the order of the statements. Only a typed cue between two otherwise equal statements
 * counts. An omission never contradicts, and neither do different numbers for different years.
 */
export function findContradictions(comparison: Comparison): Contradiction[] {
  const { statements, pairs } = comparison;
  const cues = new Cues(comparison);
  const found: Contradiction[] = [];
  for (let second = 0; second < statements.length; second += 1) {
    const right = statements[second];
    const end = pairs.begins[second + 1] ?? 0;
    for (let pair = pairs.begins[second] ?? 0; pair < end; pair += 1) {
      const first = pairs.lefts[pair] ?? 0;
      const left = statements[first];
      if (!left || !right || left.provider === right.provider || left.text === right.text) continue;
      if (left.leansOn !== right.leansOn) continue;
      const cue = cues.between(first, second, pairs.shared[pair] ?? 0, left.leansOn !== null);
      if (cue === null || areWordedAlike(left.reading, right.reading) || (cue === 'value' && (isListCell(left) || isListCell(right))))
        continue;
      if (cue === 'polarity' && areNearlyAlike(left.reading, right.reading)) continue;
      if (surelySpeakOfOne(left, right) && !areOfOtherCells(left, right) && !areOfOtherLists(left, right)) found.push({ left, right, cue });
    }
  }
  const alike = Map.groupBy(found, ({ left }) => left);
  for (const [left, right] of conflictingLives(statements))
    if (!alike.get(left)?.some((known) => known.right === right)) found.push({ left, right, cue: 'value' });
  return found;
}

/** Whether table cells are about different or unknown things, or about different times. */
const areOfOtherCells = (left: Statement, right: Statement): boolean =>
  isFormer(left) !== isFormer(right) ||
  (left.isOfTable && right.isOfTable && (left.isUnknown || right.isUnknown || headOfCell(left) !== headOfCell(right)));

/** Whether a cell describes the past: "Notice \| Before: one month" beside "… \| After: two months". */
const isFormer = (statement: Statement): boolean => statement.isOfTable && FORMER.test(headOfCell(statement));
const FORMER = /(?:^|\| )(?:before|old|previous(?:ly)?|former(?:ly)?|until now|so far|earlier|prior|past)\b[^|]*$/;

/** Whether a cell is a list, such as "Data types: strings, hashes and sets"; another list may name further items. */
const isListCell = ({ isOfTable, text }: Statement): boolean =>
  isOfTable && text.slice(text.lastIndexOf(': ') + 1).split(/[,;] | and /).length >= MIN_LISTED;
const MIN_LISTED = 3;

/** Whether labelled lines belong to lists that may be about different things: "Weight: 211 g" in one report and "Weight: 174 g" in another. */
const areOfOtherLists = (left: Statement, right: Statement): boolean =>
  (isInList(left) || isInList(right)) && (left.headings === null || left.headings.key !== right.headings?.key);

const isInList = (statement: Statement): boolean => !statement.isOfTable && isLabelled(statement.reading) && !namesItself(statement);

/** The reasons why two statements are examined. */
interface LikePair {
  mayBeCopies: boolean;
  /** If they differ at all, they differ in one thing, or in a name or value. */
  isAlike: boolean;
  isSaidOfOne: boolean;
  /** Each may have a different value for the same figure. */
  mayDifferInValue: boolean;
}

/** Finds the cue that two statements, given by their positions, cannot both hold. */
class Cues {
  private readonly similarity: Similarity;
  private readonly subjects: Similarity;
  private readonly terms: SharedTerms;
  private readonly sides: readonly Side[];
  private readonly partings = new Partings();
  /** Sentences that several reports have word for word are compared only once per order. */
  private readonly known = new Map<number, ContradictionCue | null>();
  /** For each statement whether it has a word of the question. */
  private readonly ofQuestion: readonly boolean[];

  constructor({ statements, similarity, question }: Comparison) {
    this.ofQuestion = statements.map(({ stems }) => haveCommon(question, stems));
    this.similarity = similarity;
    this.subjects = new Similarity(statements.map(({ reading }) => reading.subject));
    this.terms = new SharedTerms(statements.map(({ reading }) => reading));
    this.sides = sidesOf(statements);
  }

  /** @param shared the weight of the terms that both have */
  between(first: number, second: number, shared: number, isSaidOfOne: boolean): ContradictionCue | null {
    const one = this.sides[first];
    const other = this.sides[second];
    if (!one || !other || one === other || one.isDependent || other.isDependent) return null;
    const { similarity, terms } = this;
    const isMostlySame = shared >= MOSTLY_SAME * Math.max(similarity.mass(first), similarity.mass(second));
    const areAsked = this.sharesWithQuestion(first) && this.sharesWithQuestion(second);
    const apart = terms.apart(first, second, isMostlySame || areAsked ? MAX_APART : 0);
    const apartCount = apart === null ? Infinity : apart.onlyLeft + apart.onlyRight;
    // Words of the question weigh almost nothing, and a dispute about the thing asked for may have hardly any other words: "The first reports are due
    // on …".
    const mayBeCopies =
      apartCount <= MAX_APART && (isMostlySame || (areAsked && terms.count(first) + terms.count(second) >= 2 * apartCount));
    // True regardless of short forms of names; checked first, because it spares most pairs the alignment.
    const isAlike = (apart !== null && Math.min(apart.onlyLeft, apart.onlyRight) === 0) || (one.holds & other.holds) !== 0;
    const mayDifferInValue = isMostlySame && mayDifferInOneValue(one.reading, other.reading);
    if (!mayBeCopies && !isAlike && !mayDifferInValue) return null;
    const pair = { mayBeCopies, isAlike, isSaidOfOne, mayDifferInValue };
    if (one.statements < 2 || other.statements < 2) return this.find(first, second, one, other, pair);
    const key = one.position * this.sides.length + other.position;
    let cue = this.known.get(key);
    if (cue === undefined) this.known.set(key, (cue = this.find(first, second, one, other, pair)));
    return cue;
  }

  private sharesWithQuestion(place: number): boolean {
    return this.ofQuestion[place] === true;
  }

  private find(first: number, second: number, one: Side, other: Side, pair: LikePair): ContradictionCue | null {
    const { subjects } = this;
    const { mayBeCopies, isAlike, isSaidOfOne, mayDifferInValue } = pair;
    if (subjects.sharedMass(first, second) < WORTH_READING * Math.max(subjects.mass(first), subjects.mass(second))) return null;
    if (one.reading.wording === other.reading.wording || (tellsOfPart(one) && tellsOfPart(other))) return null;
    if (mayBeCopies) {
      const conflict = conflictBetween(one.row, other.row, this.partings, isSaidOfOne);
      if (conflict) return conflict;
    }
    return (isAlike ? cueBetween(one, other) : null) ?? (mayDifferInValue ? differInOneValue(one.main, other.main) : null);
  }
}

/** "Part of the fee is 300 euros": another part may have a different amount. */
const tellsOfPart = ({ reading: { tokens } }: Side): boolean => tokens[0]?.word.text === 'part' || tokens[0]?.word.text === 'parts';

/** Symmetric; null if no typed cue shows that the two cannot both hold. Exactly one thing may differ. */
function cueBetween(one: Side, other: Side): ContradictionCue | null {
  const left = one.reading;
  const right = other.reading;
  const alignment = alignTerms(left, right);
  if (!alignment || (differsInBoth(alignment) && !(one.hasFiller && other.hasFiller))) return null;
  const stance = stanceBetween(left, right);
  if (!stance) return null;
  if (differInPolarity(left, right, alignment, stance)) return 'polarity';
  if (differInDirection(left, right, alignment, stance)) return 'direction';
  return differInQuantity(left, right, alignment, stance) ?? (differInValue(one, other, alignment, stance) ? 'value' : null);
}
