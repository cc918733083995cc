import type { Word } from '@lib/language/reading/word';

/** Words whose presence or absence does not change the meaning. */
const IDLE = new Set(
  `a an the that which also its his her their been being is are was were be has have had do does did of to in on at by for as with it he she they and then
  so thus however later serve serves served away there this these those own up out very further s quite rather completely totally entirely longer ever any anymore exactly even still`.split(
    /\s+/,
  ),
);

export const comesAndGoes = ({ text }: Word): boolean => IDLE.has(text);

export const isIdle = (word: Word): boolean => comesAndGoes(word) || (word.effect === 'filler' && !word.isNegated);
