import { ADDRESS_ALONE, FOREIGN_MARK } from './foreign-marks';
import { lookUp } from './reading/word';
import { isStopWord, words } from './tokens';

/** A sentence of a text: `text.slice(start, end) === sentence.text` in UTF-16 units, without surrounding white space. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
}

/** Created on first use. The locale is fixed, because a text must give the same sentences on every machine. */
let segmenter: Intl.Segmenter | undefined;

/** Abbreviations that never end a sentence. */
const ABBREVIATION =
  /(?:^|[\s("'[])(?:e\.g|i\.e|cf|vs|ca|approx|resp|dr|mr|mrs|ms|wm|prof|rev|hon|gen|col|lt|sgt|capt|sen|sens|rep|gov|adm|cmdr|maj|mt|st|ste|messrs|drs|profs|revs|govs|reps|gens|cpl|pvt|brig|atty|supt|mme|mlle|proc|natl|clin|circ|acad|vit|incl)\.$/i;
/** "It takes 90 ms.", and not "Ms." */
const MILLISECONDS = /\d\s?ms\.$/;
const MARKS_BEFORE_STOP = /^(?:\[\^?\d{1,5}\][ ,]?){1,10}\./;
/** Degrees: "an M. Div.", "a Ph. D." */
const DEGREE = /\b(?:M|B|D|Th|Ph|LL|Ed|S)\.$/;
const GOES_ON_WITH_DEGREE = /^(?:Div|Sc|Th|Ed|Phil|Litt|Mus|Eng|Arch|Tech|Com|Pharm|Min|D|A|S|B|M|Ph)\./;
/** A journal: "the J. Clin. Med." */
const JOURNAL = /\bJ\.$/;
const GOES_ON_WITH_FIELD = /^\p{Lu}\p{Ll}{2,7}\.(?:\s|$)/u;
/** The "v." in the name of a lawsuit: "Brown v. Board of Education". */
const VERSUS = /\sv\.$/;
/** Abbreviations that precede a number. */
const BEFORE_NUMBER =
  /(?:^|[\s("'[])(?:no|nos|fig|figs|eq|eqs|sec|ch|chap|vol|pp|p|art|ver|v|tab|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec)\.$/i;
/** Abbreviations before a date: "Ada (b. 4 Apr. 1961, d. 12 Jan. 2015)". */
const BEFORE_DATE = /[(,;–-]\s*(?:b|d|c|fl|r)\.$/;
const CAPITAL = /\b\p{Lu}\.$/u;
/** An initial in the name of a thing: "The preset E. Piano 1". */
const BEGINS_NAME = /^(?:The|A|An)\s\p{Ll}+\s\p{Lu}\.$/u;
const NEXT_INITIAL = /^\p{Lu}\.[\s-]?\p{Lu}/u;
/** An initial as in "John F." or "J. K.": a letter with a full stop after a name, title, initial or small word, or at the beginning. */
const INITIAL = /(?:^["'([]?|\p{Lu}\p{L}+\.?\s|\p{Lu}\.[\s-]?|(?<!\b\p{Lu}\s)\b(?:by|of|and|with|to|for)\s)\p{Lu}\.$/u;
/** An initial after a role: "The naval officer F. Evan Wyatt", but not "vitamin C. Evan Wyatt". */
const BEHIND_ROLE =
  /\b(?:officer|professor|president|senator|judge|author|founder|pilot|captain|director|actor|actress|singer|physicist|chemist|biologist|minister|lawyer|economist|historian|engineer|architect|composer|conductor|journalist|writer|poet|painter|scientist|researcher|inventor|general|admiral|surgeon|businessman)\s\p{Lu}\.$/u;
const TWO_NAMES = /^\p{Lu}[\p{L}'’-]+\s\p{Lu}/u;
/** Abbreviations at the end of a name, which may also end the sentence: "Apple Inc.", "King Jr." */
const AFTER_NAME = /(?:^|[\s("'[])(?:inc|corp|co|cos|ltd|llc|plc|bros|dept|univ|intl|assn|jr|sr)\.$/i;
const GOES_ON_WITH_NAME = /^(?:&|(?:Inc|Corp|Co|Ltd|LLC|PLC)\b\.?)/;
/**
 * A name or quotation ends with a mark, but the sentence continues in lower case: "What Hi-Fi? ranks both", "Hail! and Sexoturica", "'Why?' she
 * asked".
 */
const ENDS_NAME = /\p{Lu}[\p{L}-]*[!?]$|[!?]["'”’]$/u;
const GOES_ON_SMALL = /^\p{Ll}[\p{Ll}'’-]*(?:[\s,;.:]|$)/u;
/** "At 5 p.m. Monday" */
const HOUR = /\d\s?[ap]\.m\.$/i;
const DAY = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|^(?:[ECMP][SD]?T|GMT|UTC)\b/;
/** "The Party Wall etc. Act 1996" */
const AND_SO_ON = /\betc\.$/i;
const GOES_ON_WITH_LAW = /^(?:Act|Bill|Order|Regulations?|Rules?|Directive|Code)\b/;
const LIST_NUMBER = /^[([]?(?:\d{1,3}|[a-z])[.)]$/i;
const OMISSION = /[[(]\s*(?:\.{3}|…)\s*[\])]$/;
/** Terminators of scripts that have no space after a sentence. */
const UNSPACED_TERMINATOR = /[。！？｡︒﹒﹗﹖।॥۔؟።၊။\n\r\u2028\u2029]["'”’」』）)\]]*$/u;

const URL_PATTERN = /\b(?:https?|ftp|corpus|file|mailto):[^\s<>"\])]+/gi;
const LINK_TARGET = /\]\([^()\s]{1,2000}\)/g;
/** A link or code that may begin a sentence, despite a lower-case letter. */
const LINK_LABEL = /\[([\p{L}`][^\][\n]{0,200})(?=\]\([^()\s]{1,2000}\))/gu;
const CODE_SPAN = /(?<!`)(`{1,2})[^`\n]{1,200}\1(?!`)/g;
/** HTML tags and invisible characters, which would hide the beginning of a sentence. */
const INVISIBLE = /<\/?[a-z][^<>\n]{0,200}>|[\u00AD\u2060\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gi;
const LINE_BREAK = /<br\s{0,3}\/?>/gi;
const ENDS_LINE = /<br\s{0,3}\/?>$/i;
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
const EMPHASISED = /^[*_]{0,3}[^*_]*[.!?…]["'”’)]?[*_]{1,3}$/;

/** Replaces text by closing brackets, which neither end nor begin a sentence. */
const closing = (text: string): string => ')'.repeat(text.length);

/** @param isFirst whether the text begins with it: then what is bold may be a label, "**Grant.** Up to 7,500 pounds" */
function endsSentence(before: string, after: string, isFirst: boolean): boolean {
  const written = before.trimEnd();
  const isEmphasised = written.endsWith('*') || written.endsWith('_');
  if (written === '' || (isEmphasised && isFirst && EMPHASISED.test(written))) return false;
  const tail = isEmphasised ? written.replace(/(?<=[.!?…]["'”’)]?)[*_]{1,3}$/, '') : written;
  const spaced = written.length < before.length || ENDS_LINE.test(tail);
  if (!spaced) return UNSPACED_TERMINATOR.test(before);
  // The mark belongs to the sentence before: "at 6:53 p.m. [1]."
  if (MARKS_BEFORE_STOP.test(after)) return false;
  if (ENDS_NAME.test(tail) && GOES_ON_SMALL.test(after) && !before.slice(tail.length).includes('\n')) return false;
  if (endsPlainly(tail) || /\n[ \t]*\r?\n\s*$/.test(before)) return true;
  if (MILLISECONDS.test(tail)) return true;
  if (ABBREVIATION.test(tail) || VERSUS.test(tail) || LIST_NUMBER.test(tail) || OMISSION.test(tail)) return false;
  if (BEFORE_NUMBER.test(tail) && !CAPITAL.test(tail)) return !/^\p{N}/u.test(after);
  if (BEFORE_DATE.test(tail) && /^(?:\p{N}|c\.)/u.test(after)) return false;
  if (AFTER_NAME.test(tail)) return !GOES_ON_WITH_NAME.test(after) && (!startsWithName(after) || hasVerb(tail));
  if (AND_SO_ON.test(tail)) return !GOES_ON_WITH_LAW.test(after);
  if (HOUR.test(tail)) return !DAY.test(after);
  if (DEGREE.test(tail) && GOES_ON_WITH_DEGREE.test(after)) return false;
  if (JOURNAL.test(tail) && GOES_ON_WITH_FIELD.test(after)) return false;
  if (CAPITAL.test(tail) && (NEXT_INITIAL.test(after) || (BEGINS_NAME.test(tail) && startsWithName(after)))) return false;
  return !(startsWithName(after) && (INITIAL.test(tail) || (BEHIND_ROLE.test(tail) && TWO_NAMES.test(after))));
}

/** Longer than any abbreviation. */
const LONG_WORD = 7;
const FULL_STOP = '.'.charCodeAt(0);
const SMALL_A = 'a'.charCodeAt(0);
const SMALL_Z = 'z'.charCodeAt(0);

/** A quick check: most sentences end in a long word or a citation mark and need no comparison with abbreviations. */
function endsPlainly(tail: string): boolean {
  const stop = tail.length - 1;
  if (tail.charCodeAt(stop) !== FULL_STOP) return false;
  if (tail.charAt(stop - 1) === ']') return true;
  for (let at = stop - LONG_WORD; at < stop; at += 1) {
    const code = tail.charCodeAt(at);
    if (!(code >= SMALL_A && code <= SMALL_Z)) return false;
  }
  return true;
}

/** Whether a text may be a sentence; "Acme Corp." is not. */
const hasVerb = (text: string): boolean => words(text).some((word) => lookUp(word).verb.isFinite || lookUp(word).verb.endsInEd);

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
