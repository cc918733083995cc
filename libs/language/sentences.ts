import { ADDRESS_ALONE, FOREIGN_MARK } from './foreign-marks';
import { endsSentence } from './sentence-end';

/** A sentence of a text: `text.slice(start, end) === sentence.text` in UTF-16 units, without surrounding white space. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
}

/** Created on first use. The locale is fixed, because a text must give the same sentences on every machine. */
let segmenter: Intl.Segmenter | undefined;

const URL_PATTERN = /\b(?:https?|ftp|corpus|file|mailto):[^\s<>"\])]+/gi;
const LINK_TARGET = /\]\([^()\s]{1,2000}\)/g;
/** A link or code that may begin a sentence, despite a lower-case letter. */
const LINK_LABEL = /\[([\p{L}`][^\][\n]{0,200})(?=\]\([^()\s]{1,2000}\))/gu;
const CODE_SPAN = /(?<!`)(`{1,2})[^`\n]{1,200}\1(?!`)/g;
/** HTML tags and invisible characters, which would hide the beginning of a sentence. */
const INVISIBLE = /<\/?[a-z][^<>\n]{0,200}>|[\u00AD\u2060\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gi;
const LINE_BREAK = /<br\s{0,3}\/?>/gi;
/** Citation marks and links after a full stop belong to the sentence before, unless the next sentence begins with the link. */
const BRACKETED = String.raw`\\?\[\^?[\w,;–\- ]{1,20}\\?\](?!\()|\(?\[(?:\\?\[\^?\d{1,5}\\?\]|[^\][\n]{1,200})\]\([^()\s]{1,2000}\)\)?`;
const TRAILING_MARKS = new RegExp(
  // The alternatives exclude each other, since otherwise a run of marks would take exponential time.
  String.raw`(?<=[.!?…。]["'”’)*_]{0,4})(?:[ \t]{0,2}(?:${BRACKETED}|(?!${BRACKETED})(?:${FOREIGN_MARK}|${ADDRESS_ALONE})))+(?=\s(?!\s*\p{Ll})|$|\p{Lu})`,
  'gu',
);

/**
 * Splits a text at sentence ends by Unicode's rules, but not after abbreviations, initials and list numbers, nor inside decimals,
 * version numbers, file names, URLs and omissions. A single line break is a space; a blank line ends a sentence.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const end of plainBoundaries(text) ?? boundariesOf(text)) {
    if (!endsSentence(text.slice(Math.max(start, end - LOOK_BACK), end), text.slice(end, end + LOOK_AHEAD), isBeginning(text, start)))
      continue;
    pushTrimmed(sentences, text, start, end);
    start = end;
  }
  pushTrimmed(sentences, text, start, text.length);
  return sentences;
}

/** Whether nothing but a number stands before a place: "**3. Grant.** Up to 7,500 pounds". */
const isBeginning = (text: string, start: number): boolean =>
  start === 0 || (start <= MAX_NUMBER_LENGTH && NUMBER.test(text.slice(0, start)));
const NUMBER = /^[*_]{0,3}\d{1,3}[.)]\s*$/;
const MAX_NUMBER_LENGTH = 9;

/** The sentence boundaries by Unicode's rules, without the end of the text. */
function boundariesOf(text: string): number[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  const shadow = shadowOf(text);
  const boundaries = Array.from(segmenter.segment(shadow), ({ index }) => index).filter((index) => index > 0);
  const others = [BEGINS_WITH_NUMBER, BEFORE_SMALL_NAME].flatMap((pattern) =>
    Array.from(shadow.matchAll(pattern), ({ 0: { length }, index }) => index + length),
  );
  return others.length === 0 ? boundaries : [...new Set([...boundaries, ...others])].sort((one, other) => one - other);
}

/**
 * A sentence may begin with a number, although Unicode's rules do not end a sentence before a lower-case word: "The mill closed. 45 people lost their
 * jobs".
 */
const BEGINS_WITH_NUMBER = /(?<=\p{Ll}{5}(?:\s?\[\d{1,4}\]){0,6})\.[)"”’*_]{0,60}\s+(?=[*_]{0,3}\d\S*\s+(?:%\s+)?\p{Ll})/gu;
/** A name may begin with a small letter: "… of 1 %. pgvector supports it", "… in 2007. iPhone sales rose". */
const BEFORE_SMALL_NAME = /(?:(?<=%)\.\s+(?=\p{Ll})|(?<![.\p{Lu}])\.\s+(?=\p{Ll}{1,4}\p{Lu}))/gu;
const SMALL_NAME = /^\p{Ll}{1,4}\p{Lu}/u;
const NUMBER_BEGINS = /^\d\S*\s+(?:%\s+)?\p{Ll}/u;
const ENDS_IN_WORD = /\p{Ll}{5}(?:\s?\[\d{1,4}\]){0,6}$/u;

/** A single line in Latin letters, without markup and addresses. */
const PLAIN = /^[\x20-\x7E\u00C0-\u024F’“”–—]*$/;
const MAY_MISLEAD = /[`<]|\]\(|(?:https?|ftp|corpus|file|mailto):|[.!?]["'”’)*_]{0,4} {0,2}(?:[(\\]?\[|:content|cite)/i;
/** Starts only at the beginning of a run of terminators, so that a long run is examined once. */
const TERMINATOR = /(?<![.!?])[.!?]+["'()[\]{}’“”*_]* +/g;
/** Characters that continue a sentence after a terminator. */
const GOES_ON = /^[-,:;–—.!?]/;
/** After a full stop, a lower-case letter as the next letter means that the sentence continues. */
const SMALL_LETTER = /^[^\p{L}.!?]*\p{Ll}/u;
const LOOK_AHEAD = 40;
const LOOK_BACK = 200;

/** The boundaries of a plain text, found many times faster; null if the text is not certainly plain. */
function plainBoundaries(text: string): number[] | null {
  if (!PLAIN.test(text) || MAY_MISLEAD.test(text)) return null;
  const boundaries: number[] = [];
  TERMINATOR.lastIndex = 0;
  // Run directly, because `matchAll` would copy the pattern for every text.
  for (let match = TERMINATOR.exec(text); match; match = TERMINATOR.exec(text)) {
    const [terminator] = match;
    const end = match.index + terminator.length;
    // Most sentences begin with such a letter, so nothing else needs to be checked.
    if (isPlainCapital(text.charCodeAt(end))) {
      boundaries.push(end);
      continue;
    }
    const ahead = text.slice(end, end + LOOK_AHEAD);
    if (ahead === '') break;
    if (GOES_ON.test(ahead) || !/[\p{L}.!?]/u.test(ahead)) return null;
    const isStop = /^[.!?]*\./.test(terminator) && !/[!?]["'()[\]{}’“”]* +$/.test(terminator);
    const isOfNumber = NUMBER_BEGINS.test(ahead) && ENDS_IN_WORD.test(text.slice(Math.max(0, match.index - LOOK_BACK), match.index));
    const last = text.charAt(match.index - 1);
    const isOfSmallName = last === '%' || (SMALL_NAME.test(ahead) && !/\p{Lu}/u.test(last));
    if (!isStop || !SMALL_LETTER.test(ahead) || isOfNumber || isOfSmallName) boundaries.push(end);
  }
  return boundaries;
}

const isPlainCapital = (code: number): boolean => code >= CAPITAL_A && code <= CAPITAL_Z;
const CAPITAL_A = 'A'.charCodeAt(0);
const CAPITAL_Z = 'Z'.charCodeAt(0);

/** The text as given to the segmenter: of the same length, with misleading parts replaced. */
function shadowOf(text: string): string {
  return text
    .replace(LINE_BREAK, (tag) => ' '.repeat(tag.length))
    .replace(TRAILING_MARKS, closing)
    .replace(LINK_LABEL, (label) => `[${'X'.repeat(label.length - 1)}`)
    .replace(CODE_SPAN, (code) => 'X'.repeat(code.length))
    .replace(LINK_TARGET, (target) => `]${'x'.repeat(target.length - 1)}`)
    .replace(URL_PATTERN, (url) => 'x'.repeat(url.length - 1) + url.slice(-1))
    .replace(INVISIBLE, closing)
    .replace(EMPHASIS_END, closing)
    .replace(/\r?\n(?![ \t]*\r?\n)(?<!\n[ \t]*\r?\n)/g, (lineBreak) => ' '.repeat(lineBreak.length));
}

/** The end of a sentence in bold or italics. */
const EMPHASIS_END = /(?<=[.!?…]["'”’)]?)[*_]{1,3}(?=\s)/g;

/** Replaces text by closing brackets, which neither end nor begin a sentence. */
const closing = (text: string): string => ')'.repeat(text.length);

function pushTrimmed(sentences: Sentence[], text: string, start: number, end: number): void {
  const raw = text.slice(start, end);
  const trimmed = raw.trim();
  if (trimmed === '') return;
  const from = start + raw.indexOf(trimmed);
  sentences.push({ text: trimmed, start: from, end: from + trimmed.length });
}
