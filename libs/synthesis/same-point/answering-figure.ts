import type { Amount } from '@lib/language/reading/amount';
import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import { MOVING } from '@lib/language/reading/movements';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isFiniteOrPast, textAt, type Token } from '@lib/language/reading/token';
import { isOtherMeasure, type AskedMeasure } from '../question/asked-measure';
import { mayBeOneFigure } from './one-figure';

/** Words for a measure as a whole, which the question need not have: "has a total length of". */
const OF_MEASURE = new Set(
  'length height depth width age speed weight mass number total overall whole maximum full estimated stands stood measures measured rises reaches'.split(
    ' ',
  ),
);

/**
 * The figure with which a claim answers what the question asks for: 8,849 metres in "Mount Everest stands 8,849 metres above the sea", for how tall it
 * is. Null if there is none, or if the claim may tell it of something else, such as the main span of the bridge that was asked about.
 * @param figures those of the claim that are not in the question
 */
export function answeringFigure({ tokens }: Reading, figures: readonly Amount[], question: Reading, measure: AskedMeasure): Amount | null {
  const figure = figures.find((amount) => isOfMeasure(tokens, amount, measure));
  if (!figure || isOtherMeasure(measure, textAt(tokens, figure.to))) return null;
  const before = tokens.slice(0, figure.from);
  // As in "Two doses of Kelmol are needed", the rest tells of what it is.
  const around = before.some(isVerb) ? before : [...before, ...tokens.slice(figure.to)];
  const isAsked = ({ word }: Token): boolean => question.stems.has(word.stem);
  const others = around.filter(
    (token) => isContentWord(token) && !isAsked(token) && !OF_MEASURE.has(token.word.text) && !AROUND_FIGURES.has(token.word.text),
  );
  const isOfAsked = others.length === 0 || (measure.units.has(figure.unit) && onlyCounts(around, others));
  return isOfAsked && around.some(isVerb) && (around.some(isAsked) || others.length > 0) ? figure : null;
}

/** Whether a number is of what was asked for, and not of a kind of it: "97 confirmed moons", but not "103 tour titles" for titles. */
const isOfMeasure = (tokens: readonly Token[], { unit, to }: Amount, { units }: AskedMeasure): boolean =>
  unit.split(' ').every((stem) => {
    const { verb } = tokens.slice(to, to + MAX_UNIT_WORDS).find(({ word }) => word.stem === stem)?.word ?? {};
    return units.has(stem) || verb?.isPastForm === true || verb?.isAdverb === true;
  }) && unit.split(' ').some((stem) => units.has(stem));
const MAX_UNIT_WORDS = 4;

const isVerb = (token: Token): boolean => isFiniteOrPast(token) || (!token.isCapitalised && token.word.verb.endsInS);

/** Whether the words around a number of exactly what was asked for are only a verb and a general subject: "The river passes through nine countries". */
function onlyCounts([first, second]: readonly Token[], others: readonly Token[]): boolean {
  const isGeneral = (token: Token): boolean => first?.word.text === 'the' && token === second && !token.isCapitalised;
  const verbs = others.filter((token) => !isGeneral(token));
  return verbs.length < 2 && verbs.every((token) => isVerb(token) && !MOVING.has(token.word.stem));
}

interface Answer {
  figures: readonly Amount[];
  answer: Amount | null;
}

/** Whether two claims answer the question with a figure each. */
export const bothAnswer = ({ answer: one }: Answer, { answer: other }: Answer): boolean =>
  one !== null && other !== null && (one.unit === other.unit || isOfCounted(one, other));

/** Whether only one of two claims answers it, and the other has a figure of that unit: the length of a bridge and that of its main span. */
export const onlyOneAnswers = (one: Answer, other: Answer): boolean => {
  const answer = one.answer ?? other.answer;
  if (answer === null || (one.answer !== null && other.answer !== null)) return false;
  return (one.answer === null ? one : other).figures.some(({ unit }) => unit === answer.unit);
};

/**
 * Whether they answer it with different figures: "95 officially recognized moons" and "97 confirmed moons". Not if one also has the figure of the
 * other: "28 days, which equals 5.6 weeks".
 */
export const answerOtherwise = (one: Answer, other: Answer): boolean =>
  bothAnswer(one, other) && !givesAnswerOf(one, other) && !givesAnswerOf(other, one);

const givesAnswerOf = ({ figures }: Answer, { answer }: Answer): boolean =>
  answer !== null && figures.some((figure) => mayBeOneFigure(figure, answer));

/** Whether both count one thing, whatever they call it besides. */
const isOfCounted = ({ unit: one }: Amount, { unit: other }: Amount): boolean => {
  const words = other.split(' ');
  return one.split(' ').some((word) => words.includes(word));
};
