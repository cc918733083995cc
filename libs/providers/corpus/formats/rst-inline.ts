/** A role with its text, such as `:ref:`text <target>``. */
const ROLE = /:[A-Za-z][\w+.:-]{0,80}:`((?:[^`\\]|\\.)+)`/g;
const LITERAL = /``([^`]+(?:`[^`]+)*)``/g;
const LINK_OR_EMPHASIS = /`((?:[^`\\]|\\.)+)`_{0,2}/g;
/** The target behind a link's text. */
const TARGET = /\s{0,9}<[^<>]*>$/;
const STRONG = /(?<![\w*\\])\*{1,2}(?=\S)([^*\n]*[^*\s\\])\*{1,2}(?![\w*])/g;
const REFERENCE = /(?<=\s)\[(?:\d{1,3}|#[\w-]*|\*)\]_(?!\w)/g;
const NAMED_LINK = /(?<=[A-Za-z0-9])_(?=[\s.,;:!?)]|$)/g;
const ESCAPE = /\\(?:(\s)|(.))/g;

/** The text of a line of reStructuredText without its markup. What is written as code is left as it is, without its back quotes. */
export function withoutRstMarkup(line: string): string {
  let text = '';
  let from = 0;
  for (const { index, 0: literal, 1: code = '' } of line.matchAll(LITERAL)) {
    text += withoutMarks(line.slice(from, index)) + code;
    from = index + literal.length;
  }
  return text + withoutMarks(line.slice(from));
}

const withoutMarks = (text: string): string =>
  text
    .replace(ROLE, (_, said: string) => textOf(said).replace(/^[!~]/, ''))
    .replace(LINK_OR_EMPHASIS, (_, said: string) => textOf(said))
    .replace(REFERENCE, '')
    .replace(STRONG, '$1')
    .replace(NAMED_LINK, '')
    .replace(ESCAPE, (_, space: string | undefined, escaped: string | undefined) => (space === undefined ? (escaped ?? '') : ''));

const textOf = (said: string): string => said.replace(TARGET, '') || said;
