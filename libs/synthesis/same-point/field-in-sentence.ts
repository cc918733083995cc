import type { Amount } from '@lib/language/reading/amount';
import { SPACE } from '@lib/language/reading/characters';
import { MOVING } from '@lib/language/reading/movements';
import { periodBehind } from '@lib/language/reading/periods';
import { standingForAll } from '@lib/language/reading/synonyms';
import { isNameWord } from '@lib/language/reading/token';
import { areOfOtherTimes, isYear } from '../difference/values';
import type { ClaimFeatures } from './claim-features';
import { mayBeOneFigure } from './one-figure';
import { areOfOneUnit, IS_MEASURED, type Field, type ToldInRecord } from './record-fields';

/** Least share of a value's own words that tells its measure where there is no head: “Cost | Total of £318m”. */
const OWN = 0.5;
/** A smaller number without a unit may refer to anything. */
const MIN_BARE = 10;
/** Figures further apart than this are rather of two measures; without a word for the measure, they must be nearer. */
const MAX_RATIO = { named: 5, unnamed: 2 };
/** With more figures it is unclear which one is meant. */
const MAX_FIGURES = 2;
/** Units that hardly two measures of one thing share. */
const TELLING = new Set('dollars euros pounds length mass power energy area volume'.split(' '));

/** The parts of a field that a sentence names. */
interface Named {
  isRow: boolean;
  isHead: boolean;
  /** Both, as far as there are both. */
  isWhole: boolean;
}

/** How a value of a record compares with a sentence on the same measure of the same thing; null if it is on anything else. */
export function fieldInSentence(field: Field, record: ClaimFeatures, sentence: ClaimFeatures): ToldInRecord | null {
  // A label such as “Price” may stand for one of several prices below its heading.
  if (field.kind === 'label') return null;
  const { row, head, own, verdict } = field;
  const [isRow, isHead] = [isNamedIn(row, sentence), isNamedIn(head, sentence)];
  if (!isRow && !isHead) return null;
  const isTold = head.length > 0 ? isHead : field.kind === 'row' && tellsMuchOf(own, sentence);
  const named = { isRow, isHead, isWhole: isRow && isTold };
  if (field.amounts.length > 0) return figuresTold(field, record, sentence, named);
  return verdict === 'no' && named.isWhole && head.length > 0 && !sentence.reading.hasNegation ? 'one denies it' : null;
}

/** A number with more digits may be a year. */
const NUMBER_OF_KIND = /^\d{1,3}$/;
/** Whether a sentence speaks of another one of the kind that a record is of: “the Kestrel 4” beside a record of the Kestrel 3. */
export function namesAnotherOf({ fields }: ClaimFeatures, { reading: { tokens } }: ClaimFeatures): boolean {
  const [name, number] = fields?.[0]?.row.slice(-2) ?? [];
  if (name === undefined || number === undefined || !NUMBER_OF_KIND.test(number)) return false;
  const numbers = tokens.flatMap(({ word }, at) => {
    const next = tokens[at + 1];
    return standingForAll(word.stem) === name && next?.word.hasDigit && next.before === SPACE ? [next.word.stem] : [];
  });
  return numbers.length > 0 && !numbers.includes(number);
}

function figuresTold(field: Field, record: ClaimFeatures, sentence: ClaimFeatures, named: Named): ToldInRecord | null {
  const { amounts } = field;
  const theirs = figuresMeant(field, record, sentence, named);
  if (theirs.some((amount) => amounts.some((own) => mayBeOneFigure(own, amount)))) return 'same figures';
  // What other values of the record say is said of something else.
  const others = record.fields?.flatMap((other) => other.amounts) ?? [];
  const left = theirs.filter((amount) => !others.some((own) => areOfOneUnit(own, amount) && mayBeOneFigure(own, amount)));
  if (left.length > MAX_FIGURES || amounts.some(({ unit, high }) => unit === '' && Math.abs(high) < MIN_BARE)) return null;
  const ratio = named.isWhole ? MAX_RATIO.named : MAX_RATIO.unnamed;
  if (!left.some((amount) => amounts.some((own) => areWithin(own, amount, ratio)))) return null;
  return areOfOtherTimes(record.reading, sentence.reading) ? null : 'figures differ';
}

/**
 * The figures of a sentence that are of a field's measure: if it names thing and measure, all of that unit; otherwise those that count what the measure is
 * called, or the only one of a telling unit.
 */
function figuresMeant(
  { row, head, amounts, period }: Field,
  record: ClaimFeatures,
  sentence: ClaimFeatures,
  named: Named,
): readonly Amount[] {
  const isOfUnit = (amount: Amount): boolean => amounts.some((own) => areOfOneUnit(own, amount));
  const isOfPeriod = ({ to }: Amount): boolean => period === null || (periodBehind(sentence.reading.tokens, to) ?? period) === period;
  const alike = sentence.figures.filter(
    (amount) => isOfUnit(amount) && isOfPeriod(amount) && !isYear(amount) && !isChange(sentence, amount),
  );
  if (named.isWhole) return alike;
  const measure = named.isRow ? head : row;
  const counted = alike.filter(
    ({ unit }) => !IS_MEASURED.has(unit) && unit.split(' ').some((stem) => measure.includes(standingForAll(stem))),
  );
  if (counted.length > 0) return counted;
  const isOnly = alike.length === 1 && record.figures.filter(isOfUnit).length === amounts.length;
  return isOnly && named.isRow && isName(row, sentence) && amounts.every(({ unit }) => TELLING.has(unit)) ? alike : [];
}

/** Whether a figure tells how much something changed: “lost 12 seats”, “grew by 30 km”. */
function isChange({ reading: { tokens } }: ClaimFeatures, { relation, from }: Amount): boolean {
  const before = tokens[from - 1]?.word;
  return relation === 'by' || (before !== undefined && (MOVING.has(before.stem) || CHANGING.has(before.text)));
}
const CHANGING = new Set('lost loses lose gained gains gain added adds add'.split(' '));

function areWithin(one: Amount, other: Amount, ratio: number): boolean {
  const [least, most] = [Math.min(Math.abs(one.high), Math.abs(other.high)), Math.max(Math.abs(one.high), Math.abs(other.high))];
  return most <= ratio * least;
}

/** Whether the words of a row are a name, as a sentence shows that writes them in capitals. */
const isName = (row: readonly string[], { reading: { tokens } }: ClaimFeatures): boolean =>
  tokens.some((token, at) => at > 0 && (token.isCapitalised || token.word.hasDigit) && row.includes(standingForAll(token.word.stem)));

/** Whether a sentence has all words of a name, or only the first one and nothing that shows another thing: “the Sorano” for “Sorano E”. */
function isNamedIn(name: readonly string[], sentence: ClaimFeatures): boolean {
  const [first] = name;
  if (first === undefined) return false;
  if (name.every((stem) => sentence.terms().has(stem))) return true;
  const { tokens } = sentence.reading;
  return tokens.some((token, at) => {
    if (at === 0 || !token.isCapitalised || standingForAll(token.word.stem) !== first) return false;
    const next = tokens[at + 1];
    return next === undefined || !(isNameWord(next) || next.word.hasDigit) || name.includes(standingForAll(next.word.stem));
  });
}

const tellsMuchOf = (own: readonly string[], { terms }: ClaimFeatures): boolean =>
  own.filter((stem) => terms().has(stem)).length >= OWN * own.length;
