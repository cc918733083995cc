import { lookUp } from './reading/word';
import { isStopWord, words } from './tokens';

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
const ENDS_LINE = /<br\s{0,3}\/?>$/i;
/** The whole of a text in bold or italics. */
const EMPHASISED = /^[*_]{0,3}[^*_]*[.!?…]["'”’)]?[*_]{1,3}$/;

/**
 * Whether a sentence ends between two texts, where one may end by Unicode's rules: not behind an abbreviation, an initial or the number of a list.
 * @param before the text since the sentence before, or the end of it
 * @param isFirst whether the whole text begins with it: then what is bold may be a label, "**Grant.** Up to 7,500 pounds"
 */
export function endsSentence(before: string, after: string, isFirst: boolean): boolean {
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
