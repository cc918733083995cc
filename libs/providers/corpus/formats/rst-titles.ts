import type { Underlining } from './text-sections';

/** A directive, a comment, a footnote or the target of a link. */
export const MARKUP = /^\.\.(?: |$)/;

/** Any mark of ASCII may underline a heading, if the rule is as long as the title; a pair of colons or of full stops is other markup. */
export const UNDERLINING: Underlining = {
  rule: /^(?!(?:::|\.\.)\s*$)([!-/:-@[-`{-~])\1+\s*$/,
  shortest: 1,
  isTitle: (line, isBetweenRules) =>
    line.length <= MAX_TITLE_LENGTH && (isBetweenRules || !line.startsWith(' ')) && !MARKUP.test(line) && !TRANSITION.test(line),
  mayFollow: (before) => before.trim() === '' || before.startsWith('.. ') || before.startsWith(' '),
};
const MAX_TITLE_LENGTH = 200;
/** A rule that parts paragraphs. */
export const TRANSITION = /^([!-/:-@[-`{-~])\1{3,}\s*$/;
