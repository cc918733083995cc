import type { Amount } from '@lib/language/reading/amount';
import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import { wordsAlone } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, textAt, type Token } from '@lib/language/reading/token';
import type { Claim } from '../claims/claim-table';
import type { AskedMeasure } from '../question/asked-measure';
import { comparisonIn, type StatedComparison } from './compared-otherwise';
import { answeringFigure } from './answering-figure';
import type { StatedRole } from './stated-role';
import { statedRolesIn } from './stated-roles';
import { figuresOf, figuresAndDaysIn, type FiguresAndDays } from './shared-figures';
import { statedValuesOf, type StatedValues } from './stated-values';
import { questionWordsOf, type QuestionWords } from './question-repeated';
import { fieldsOf, termsOf, type Field } from './record-fields';

/** The parts of a claim needed to compare it. */
export type ComparedClaim = Pick<Claim, 'reading' | 'supporting'>;

/** A claim with everything derived from it alone, computed once for all comparisons. */
export interface ClaimFeatures extends ComparedClaim {
  main: Reading;
  figures: readonly Amount[];
  figuresAndDays: FiguresAndDays;
  values: StatedValues;
  roles: readonly StatedRole[];
  comparison: StatedComparison | null;
  /** The figure with which it answers the question, if it does. */
  answer: Amount | null;
  questionWords: QuestionWords;
  /** Null for a sentence. */
  fields: readonly Field[] | null;
  /** Its stems and those of its headings, synonyms as one word. */
  terms: () => ReadonlySet<string>;
}

/**
 * @param asked the question, whose own figures and words are left out
 * @param measure what it asks a figure of
 */
export function featuresOf({ reading, supporting }: ComparedClaim, asked: Reading, measure: AskedMeasure | null): ClaimFeatures {
  const figures = figuresOf(reading, asked);
  let terms: ReadonlySet<string> | undefined;
  return {
    reading,
    supporting,
    main: mainClauseOf(reading),
    figures,
    figuresAndDays: figuresAndDaysIn(reading, asked, figures),
    values: statedValuesOf(reading, asked, figures),
    roles: statedRolesIn(reading),
    comparison: comparisonIn(reading),
    answer: measure && answeringFigure(reading, figures, asked, measure),
    questionWords: questionWordsOf(reading, asked),
    fields: fieldsOf(reading, supporting[0]?.headings ?? null),
    // Only records are compared by their terms, and most jobs have none. No getter: V8 would put it into the old generation, with all that it holds.
    terms: () => (terms ??= termsOf(reading, supporting)),
  };
}

/**
 * The claim without relative clauses ("a leak that nobody sealed", but not "said that nobody sealed it"), contrasted parts, and continuations after a
 * comma.
 */
function mainClauseOf(reading: Reading): Reading {
  const { tokens, contrasted } = reading;
  const end = tokens.findIndex((_, at) => at > 0 && (beginsAside(tokens, at) || contrasted?.has(at)));
  return end < 0 ? reading : wordsAlone(reading, 0, end);
}

function beginsAside(tokens: readonly Token[], at: number): boolean {
  const text = textAt(tokens, at);
  if (ASIDES.has(text) || (text === 'that' && tokens[at - 1]?.word.verb.makesSentence === false && !isSaid(tokens, at))) return true;
  if (text === 'but' && tokens[at + 1]?.word.text === 'not') return true;
  return GOING_ON.has(text) && ((tokens[at]?.before ?? 0) & (COMMA | SEMICOLON)) !== 0;
}
/** After a verb of saying and a date, "that" introduces the statement itself: "Concluded in June 2025 that it is safe". */
const isSaid = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.word.hasDigit === true && tokens.slice(Math.max(0, at - MAX_SAYING), at).some(isFiniteOrPast);
/** Most words from a verb of saying, followed by a date, to its "that". */
const MAX_SAYING = 5;
const ASIDES = new Set('who which whose where without since because'.split(' '));
const GOING_ON = new Set('and but or so as while though although'.split(' '));
