/**
 * Headings in a report that quotes documents: the first one marks passages that fit the question less well than the ones before, the second one
 * passages that are no part of the answer.
 */
export const MAY_HELP = 'May also help';
export const FURTHER_PASSAGES = 'Further passages';
/** How such a report begins to say why it has no answer. */
export const NOT_ANSWERED = 'These documents do not answer the question';
