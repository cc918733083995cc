import { isStopWord } from './tokens';

/** A sentence of a text: `text.slice(start, end) === sentence.text` in UTF-16 units, without the white space around it. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
}

/** The locale is fixed because the same text must give the same sentences on every machine. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Abbreviations that never end a sentence. */
const ABBREVIATION =
  /(?:^|[\s("'[])(?:e\.g|i\.e|cf|vs|ca|approx|resp|dr|mr|mrs|ms|wm|prof|rev|hon|gen|col|lt|sgt|capt|sen|rep|gov|mt|st|messrs)\.$/i;
/** Abbreviations that belong to a number after them. */
const BEFORE_NUMBER =
  /(?:^|[\s("'[])(?:no|nos|fig|figs|eq|eqs|sec|ch|chap|vol|pp|p|art|ver|v|tab|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\.$/i;
/** "John F." or "J. K.": a letter with a full stop after a name, after another initial, or at the beginning. */
const INITIAL = /(?:^["'([]?|\p{Lu}\p{L}+\s|\p{Lu}\.[\s-]?)\p{Lu}\.$/u;
const LIST_NUMBER = /^[([]?(?:\d{1,3}|[a-z])[.)]$/i;
const OMISSION = /[[(]\s*(?:\.{3}|…)\s*[\])]$/;
/** Terminators of scripts that put no space after a sentence. */
const UNSPACED_TERMINATOR = /[。！？｡︒﹒﹗﹖।॥۔؟።၊။\n\r\u2028\u2029]["'”’」』）)\]]*$/u;

const URL_PATTERN = /\b(?:https?|ftp|corpus|file|mailto):[^\s<>"\])]+/gi;
const LINK_TARGET = /\]\([^()\s]{1,2000}\)/g;
/** A link or code may be the subject of a sentence, though it begins with a small letter. */
const LINK_LABEL = /\[([\p{L}`][^\][\n]{0,200})(?=\]\([^()\s]{1,2000}\))/gu;
const CODE_SPAN = /(?<!`)(`{1,2})[^`\n]{1,200}\1(?!`)/g;
/** HTML tags, and characters that are not seen, which would hide the beginning of a sentence. */
const INVISIBLE = /<\/?[a-z][^<>\n]{0,200}>|[\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gi;
/** Citation marks and links that follow a full stop belong to the sentence before it, unless the sentence goes on with the link. */
const TRAILING_MARKS =
  /(?<=[.!?…。]["'”’)*_]{0,4})(?:[ \t]{0,2}(?:\[\^?[\w,;–\- ]{1,20}\](?!\()|\(?\[[^\][\n]{1,200}\]\([^()\s]{1,2000}\)\)?))+(?=\s(?!\s*\p{Ll})|$|\p{Lu})/gu;

/**
 * Splits a text at sentence ends by Unicode's rules, but not after abbreviations, initials and list numbers, nor inside decimals,
 * version numbers, file names, URLs and omissions. A single line break is a space; a blank line ends a sentence.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  let end = 0;
  for (const { segment, index } of SEGMENTER.segment(shadowOf(text))) {
    if (index > 0 && endsSentence(text.slice(Math.max(start, end - 40), end), text.slice(index, index + 40))) {
      pushTrimmed(sentences, text, start, end);
      start = index;
    }
    end = index + segment.length;
  }
  pushTrimmed(sentences, text, start, end);
  return sentences;
}

/** The text as the segmenter sees it: of the same length, with what misleads it replaced. */
function shadowOf(text: string): string {
  return text
    .replace(TRAILING_MARKS, closing)
    .replace(LINK_LABEL, (label) => `[${'X'.repeat(label.length - 1)}`)
    .replace(CODE_SPAN, (code) => 'X'.repeat(code.length))
    .replace(LINK_TARGET, (target) => `]${'x'.repeat(target.length - 1)}`)
    .replace(URL_PATTERN, (url) => 'x'.repeat(url.length - 1) + url.slice(-1))
    .replace(INVISIBLE, closing)
    .replace(/\r?\n(?![ \t]*\r?\n)(?<!\n[ \t]*\r?\n)/g, (lineBreak) => ' '.repeat(lineBreak.length));
}

/** Brackets that close end no sentence and begin none. */
const closing = (text: string): string => ')'.repeat(text.length);

function endsSentence(before: string, after: string): boolean {
  const tail = before.trimEnd();
  if (tail === '') return false;
  const spaced = tail.length < before.length;
  if (!spaced) return UNSPACED_TERMINATOR.test(before);
  if (/\n[ \t]*\r?\n\s*$/.test(before)) return true;
  if (ABBREVIATION.test(tail) || LIST_NUMBER.test(tail) || OMISSION.test(tail)) return false;
  if (BEFORE_NUMBER.test(tail)) return !/^\p{N}/u.test(after);
  return !(INITIAL.test(tail) && startsWithName(after));
}

function startsWithName(after: string): boolean {
  const [word] = /^\p{Lu}[\p{L}'’-]*\.?/u.exec(after) ?? [];
  return word !== undefined && !isStopWord(word.toLowerCase());
}

function pushTrimmed(sentences: Sentence[], text: string, start: number, end: number): void {
  const raw = text.slice(start, end);
  const trimmed = raw.trim();
  if (trimmed === '') return;
  const from = start + raw.indexOf(trimmed);
  sentences.push({ text: trimmed, start: from, end: from + trimmed.length });
}
