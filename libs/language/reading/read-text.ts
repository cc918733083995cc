import { withNumbersJoined } from './numbers-in-words';
import { withPhrases } from './phrases';
import { Reading } from './reading';
import { tokenize } from './tokenize';
import { withFiguresJoined } from './written-figures';

/** Reads a sentence into words, with phrases and numbers of several words merged. Everything else is computed on demand. */
export function readingOf(text: string): Reading {
  return new Reading(text, withPhrases(withNumbersJoined(withFiguresJoined(tokenize(text)))));
}
