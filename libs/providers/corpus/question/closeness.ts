/**
 * Words at least this similar to a word of the question count for it in part: fewer of them where many documents, or those of one named folder, are all
 * about similar things, and where the question has hardly another word.
 */
export const CLOSE = { strict: 0.62, loose: 0.42 };
/** Factor for matching a word by another one of about the same meaning. */
export const CLOSE_SHARE = 0.7;
/** A word whose match is less than this (see `matched`) is only met loosely. */
export const SURELY_CLOSE = CLOSE.strict * CLOSE_SHARE;
