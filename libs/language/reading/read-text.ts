import { withNumbersJoined } from './numbers-in-words';
import { withPhrases } from './phrases';
import { Reading } from './reading';
import { tokenize } from './tokenize';
import { withFiguresJoined } from './written-figures';

/** A sentence as its words, with phrases and numbers of several words as one each. What else is asked of it is found when it is asked for. */
export function readingOf(text: string): Reading {
  return new Reading(text, withPhrases(withNumbersJoined(withFiguresJoined(tokenize(text)))));
}
