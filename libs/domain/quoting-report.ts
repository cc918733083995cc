/** Headings in reports that quote documents: before passages that fit the question less well, and before passages that are not part of the answer. */
export const MAY_HELP = 'May also help';
export const FURTHER_PASSAGES = 'Further passages';
