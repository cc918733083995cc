import type { Amount } from '@lib/language/reading/amounts';
import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import { wordsAlone } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import type { Claim } from '../claims/claim-table';
import { partsIn } from './parts-played';
import type { Played } from './played';
import { figuresOf, toldIn, type Told } from './shared-figures';
import { valuesTold, type ValuesTold } from './values-told';

/** A claim, as far as it is compared. */
export type Compared = Pick<Claim, 'reading' | 'supporting'>;

/** A claim as it is seen beside others, with what is found in it alone. */
export interface Sight extends Compared {
  main: Reading;
  figures: readonly Amount[];
  told: Told;
  values: ValuesTold;
  parts: readonly Played[];
}

/** @param asked the question, which the claim is not asked for again */
export function sightOf({ reading, supporting }: Compared, asked: Reading): Sight {
  const figures = figuresOf(reading, asked);
  return {
    reading,
    supporting,
    main: mainClauseOf(reading),
    figures,
    told: toldIn(reading, asked, figures),
    values: valuesTold(reading, asked, figures),
    parts: partsIn(reading),
  };
}

/**
 * Without what is told of something in it ("a leak that nobody sealed", and not "said that nobody sealed it"), what is only contrasted with it, and
 * what goes on behind a comma.
 */
function mainClauseOf(reading: Reading): Reading {
  const { tokens, contrasted } = reading;
  const end = tokens.findIndex((_, at) => at > 0 && (beginsAside(tokens, at) || contrasted?.has(at)));
  return end < 0 ? reading : wordsAlone(reading, 0, end);
}

function beginsAside(tokens: readonly Token[], at: number): boolean {
  const text = tokens[at]?.word.text ?? '';
  if (ASIDES.has(text) || (text === 'that' && tokens[at - 1]?.word.verb.makesSentence === false)) return true;
  if (text === 'but' && tokens[at + 1]?.word.text === 'not') return true;
  return GOING_ON.has(text) && ((tokens[at]?.before ?? 0) & (COMMA | SEMICOLON)) !== 0;
}
const ASIDES = new Set('who which whose where without since because'.split(' '));
const GOING_ON = new Set('and but or so as while though although'.split(' '));
