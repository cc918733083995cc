import type { Citation } from '@lib/domain/citation';
import { ADDRESS_ALONE, FOREIGN_MARK } from '@lib/language/foreign-marks';
import { decoded } from '@lib/language/markdown/parser';
import { sourceKey } from '@lib/language/source-key';

/** Limit for citations of a quote, because a report with thousands of overlapping spans must not inflate its claims. */
const MAX_CITATIONS_PER_QUOTE = 20;
const MAX_RANGE = 20;

const CODE_SPAN = '(`+[^`]+`+)';
const LINK_TARGET = String.raw`\(\s*<?([^()\s<>]*(?:\([^()\s<>]*\)[^()\s<>]*)*)>?(?:\s+"[^"]*")?\s*\)`;
const LINK = String.raw`(\s*\(?)(?<!\\)!?\[((?:\[\^?\d{1,5}\]|\\\[\^?\d{1,5}\\\]|[^\][])*)\]${LINK_TARGET}(\)?)`;
const NUMBERS = String.raw`\s*(?<!\\)(?:\[\^?(\d{1,5}(?:\s*[,;–-]\s*\^?\d{1,5})*)\]|\[\^[^\]\s]{1,100}\]|【(\d{1,5})[^】]{0,40}】)`;
/** A mark that had no source when the report came in; its number is not part of the sentence. */
const UNKNOWN_MARK = String.raw`\s*(?<!\\)\\\[\^?\d{1,5}(?:\s*[,;–-]\s*\^?\d{1,5})*\]`;
/**
 * Groups: the code span; the opening, label, address and closing of a link; the numbers; the number in lenticular brackets; the address alone.
 */
const MARK_OR_LINK = new RegExp(`${CODE_SPAN}|${LINK}|${NUMBERS}|${UNKNOWN_MARK}`, 'gu');
/** Also matches what models write in place of a source. Most quotes have no such marks and are read in half the time. */
const ANY_MARK = new RegExp(`${CODE_SPAN}|${LINK}|${NUMBERS}|\\s*(?:${ADDRESS_ALONE})|${UNKNOWN_MARK}|\\s*(?:${FOREIGN_MARK})`, 'gu');
const MAY_BE_FOREIGN = /[【\uE200<¹²³⁰⁴-⁹†]|\[[A-Za-z]|cite ?turn|:content|\((?:\w{1,8}:? ?)?<?https?:/;

/** The characters that begin any of the markup below. */
const MAY_BE_MARKUP = /\$\d[\d.,{}\\%]*\$|[`\\<~*_\n&\u00AD\u200B\u2060\uFEFF]/;
const MARKUP =
  /(`+)(?<code>[^`]+)\1|(?:\$|\\\(\s?)(?<figure>\d[\d.,{}]*(?:\\?%)?)(?:\$|\s?\\\))|\\(?<escaped>[!-/:-@[-`{-~])|<!--[\s\S]*?(?:-->|$)|<\/?[a-z][^<>]*>|~~|\*+|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])|\n[ \t]*(?:>[ \t]?)+|(?<reference>&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});)|[\u00AD\u200B\u2060\uFEFF]/giu;

/** Invisible characters that allow or prevent line breaks and are not part of a word. */
const INVISIBLE = /[\u00AD\u200B\u2060\uFEFF]/g;

interface Stretch {
  at: number;
  place: number;
}

/** A quote without its markup. */
export interface PlainQuote {
  text: string;
  /** The stretches copied unchanged from the quote, in order: where each begins in the text and in the quote. */
  stretches: readonly Stretch[];
  /** The citations named by its marks and links, with their places in the quote. */
  marks: readonly { place: number; index: number }[];
}

/** The place in the quote for a place in the text. */
export function placeInQuote({ text, stretches }: PlainQuote, place: number, quote: string): number {
  return place >= text.length ? quote.length : placeOf(stretches, place);
}

function placeOf(stretches: readonly Stretch[], at: number): number {
  for (let last = stretches.length - 1; last >= 0; last -= 1) {
    const stretch = stretches[last];
    if (stretch && stretch.at <= at) return stretch.place + at - stretch.at;
  }
  return at;
}

const WHOLE: readonly Stretch[] = [{ at: 0, place: 0 }];
const MAY_BE_MARK = /[[`\\【]/;
const NO_MARKS: PlainQuote['marks'] = [];

/** Reads the quotes of a report: their text, and the citations they carry by mark, link or position. */
export class QuoteReader {
  private readonly known: ReadonlySet<number>;
  /** Created at the first link, since most marks are numbers. */
  private byUrl: ReadonlyMap<string, number> | undefined;
  private readonly spans: { index: number; start: number; end: number }[];

  constructor(private readonly citations: readonly Citation[]) {
    this.known = new Set(citations.map(({ index }) => index));
    this.spans = citations.flatMap(({ index, startIndex, endIndex }) =>
      startIndex === null || endIndex === null ? [] : [{ index, start: startIndex, end: endIndex }],
    );
  }

  read(quote: string): PlainQuote {
    const marks: { place: number; index: number }[] = [];
    const whole: PlainQuote = { text: quote, stretches: WHOLE, marks: NO_MARKS };
    const foreign = quote.search(MAY_BE_FOREIGN);
    const mark = quote.search(MAY_BE_MARK);
    const first = foreign < 0 || (mark >= 0 && mark < foreign) ? mark : foreign;
    const unmarked =
      first >= 0
        ? rewritten(whole, foreign < 0 ? MARK_OR_LINK : ANY_MARK, beforeMark(quote, first), (match) => {
            const found: number[] = [];
            const kept = this.withoutMark(match, found);
            for (const index of found) marks.push({ place: match.index, index });
            return kept;
          })
        : whole;
    const markup = unmarked.text.search(MAY_BE_MARKUP);
    const plain = markup >= 0 ? rewritten(unmarked, MARKUP, markup, withoutMarkup) : unmarked;
    const { text, stretches } = MAY_BE_EXCESS.test(plain.text) ? rewritten(plain, EXCESS, 0, withoutExcess) : plain;
    return { text, stretches, marks };
  }

  /** The citations of a part of a quote; `start` is the quote's UTF-16 offset in the report. */
  citationsIn({ text, stretches, marks }: PlainQuote, start: number, from: number, to: number): number[] {
    const found: number[] = [];
    const said = placeOf(stretches, text.length - 1) + 1;
    for (const { place, index } of marks) {
      if (found.length === MAX_CITATIONS_PER_QUOTE) break;
      if (place >= from && place < to && !found.includes(index)) found.push(index);
    }
    for (const span of this.spans) {
      if (found.length === MAX_CITATIONS_PER_QUOTE) break;
      // The span belongs to the following text, since only citation marks stand between.
      if (span.start >= start + said && span.end > start + to) continue;
      if (span.start < start + to && span.end > start + from && !found.includes(span.index)) found.push(span.index);
    }
    return found.length < 2 ? found : found.sort((a, b) => a - b);
  }

  private withoutMark(match: RegExpExecArray, found: number[]): string {
    const [whole, code, open = '', label, url = '', close = '', numbers, lenticular, address] = match as (string | undefined)[];
    if (code !== undefined) return whole ?? '';
    if (address !== undefined) this.addAddress(address, found);
    if (label === undefined) {
      this.addNumbers(numbers ?? lenticular ?? '', found);
      return '';
    }
    this.addAddress(url, found);
    const number = /^\[?\^?(\d{1,5})\]?$/.exec(label)?.[1];
    if (number !== undefined) this.addNumbers(number, found);
    const aside = open.endsWith('(') && close === ')';
    return number !== undefined || label.startsWith('\\[') || aside ? '' : `${open}${label}${close}`;
  }

  private addAddress(url: string, found: number[]): void {
    this.byUrl ??= new Map(this.citations.toReversed().map((citation) => [sourceKey(citation.url), citation.index]));
    const index = this.byUrl.get(sourceKey(url));
    if (index !== undefined) found.push(index);
  }

  private addNumbers(numbers: string, found: number[]): void {
    const only = Number(numbers); // Most marks name one source.
    if (this.known.has(only)) {
      found.push(only);
      return;
    }
    for (const part of numbers.split(/[,;]/)) {
      const [first = 0, last = first] = part.split(/[–-]/).map((number) => Number(number.replace(/\D/g, '')));
      for (let index = first; index <= Math.min(last, first + MAX_RANGE); index += 1) if (this.known.has(index)) found.push(index);
    }
  }
}

/** White space other than one space between words. */
/** Spaces, and the stop behind that of an abbreviation once the mark between them is gone: "at 6:53 p.m. [1]." */
const EXCESS = /^\s+|\s+$|[^\S ]\s*| \s+|(?<=\w\.)\.(?=\s|$)/g;
const MAY_BE_EXCESS = /^\s|\s$|[^\S ]| \s|\w\.\.(?:\s|$)/;

function withoutExcess({ 0: space, index, input }: RegExpExecArray): string {
  return space === '.' || index === 0 || index + space.length === input.length ? '' : ' ';
}

/** Where a mark or link may begin, given the place of its first character other than leading spaces and brackets. */
function beforeMark(text: string, at: number): number {
  let from = at;
  while (from > 0 && /[\s(!]/.test(text.charAt(from - 1))) from -= 1;
  return from;
}

function withoutMarkup(match: RegExpExecArray): string {
  const { code, figure, escaped, reference }: Partial<Record<string, string>> = match.groups ?? {};
  // A number in mathematical notation, such as "$11{,}500$", not an amount of dollars.
  if (figure !== undefined) return figure.replace(/[{}\\]/g, '');
  if (reference !== undefined) return decoded(reference).replace(INVISIBLE, '');
  return code ?? escaped ?? (/^(?:\n|<br\b)/i.test(match[0]) ? ' ' : '');
}

/**
 * Replaces each match by the part of it that is kept; no match begins before `from`. The pattern is run directly, because `matchAll` would copy it
 * for every quote.
 */
function rewritten(plain: PlainQuote, pattern: RegExp, from: number, keptOf: (match: RegExpExecArray) => string): PlainQuote {
  let stretches: Stretch[] | undefined;
  let text = '';
  let done = 0;
  pattern.lastIndex = from;
  for (let match = pattern.exec(plain.text); match; match = pattern.exec(plain.text)) {
    stretches ??= [];
    addStretches(stretches, text.length, plain, done, match.index);
    text += plain.text.slice(done, match.index);
    const words = keptOf(match);
    // The kept text is located by its first character in the match, which is close enough within markup.
    const first = words === '' ? 0 : Math.max(0, match[0].indexOf(words));
    if (words !== '') addStretches(stretches, text.length, plain, match.index + first, match.index + first + words.length);
    text += words;
    done = match.index + match[0].length;
  }
  if (!stretches) return plain;
  addStretches(stretches, text.length, plain, done, plain.text.length);
  return { text: text + plain.text.slice(done), stretches, marks: plain.marks };
}

/** Adds the stretches of a part of the text; that part begins at `at` in the new text. */
function addStretches(added: Stretch[], at: number, { stretches }: PlainQuote, from: number, to: number): void {
  if (from >= to) return;
  added.push({ at, place: placeOf(stretches, from) });
  for (const stretch of stretches)
    if (stretch.at > from && stretch.at < to) added.push({ at: at + stretch.at - from, place: stretch.place });
}
