/** Headings by which a report that quotes documents tells what fits its question less well than what stands before, and what is no part of its answer. */
export const MAY_HELP = 'May also help';
export const FURTHER_PASSAGES = 'Further passages';
