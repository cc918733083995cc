import type { Citation } from '@lib/domain/citation';
import { sourceKey } from '@lib/language/source-key';
import { collapseWhiteSpace } from '@lib/language/white-space';

/** A quote never carries more: a report with thousands of overlapping spans must not blow up its claims. */
const MAX_CITATIONS_PER_QUOTE = 20;
const MAX_RANGE = 20;

const CODE_SPAN = '(`+[^`]+`+)';
const LINK_TARGET = String.raw`\(\s*<?([^()\s<>]*(?:\([^()\s<>]*\)[^()\s<>]*)*)>?(?:\s+"[^"]*")?\s*\)`;
const LINK = String.raw`(\s*\(?)(?<!\\)!?\[((?:\[\^?\d{1,5}\]|[^\][])*)\]${LINK_TARGET}(\)?)`;
const NUMBERS = String.raw`\s*(?<!\\)(?:\[\^?(\d{1,5}(?:\s*[,;–-]\s*\^?\d{1,5})*)\]|\[\^[^\]\s]{1,100}\]|【(\d{1,5})[^】]{0,40}】)`;
/** A mark that stood for no source when the report came in: its number is none of the sentence. */
const UNKNOWN_MARK = String.raw`\s*(?<!\\)\\\[\^?\d{1,5}(?:\s*[,;–-]\s*\^?\d{1,5})*\]`;
const MARK_OR_LINK = new RegExp(`${CODE_SPAN}|${LINK}|${NUMBERS}|${UNKNOWN_MARK}`, 'gu');

/** Of a match: the code span; what opens a link, its label, its address and what closes it; the numbers; the number in lenticular brackets. */
type Groups = (string | undefined)[];

/** The characters that all markup below begins with. */
const MAY_BE_MARKUP = /[`\\<~*_\n]/;
const MARKUP =
  /(`+)(?<code>[^`]+)\1|\\(?<escaped>[!-/:-@[-`{-~])|<!--[\s\S]*?(?:-->|$)|<\/?[a-z][^<>]*>|~~|\*+|(?<![\p{L}\p{N}_])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}_])|\n[ \t]*(?:>[ \t]?)+/giu;

/** What a quote says without its markup, and the sources that it names. */
export interface Reading {
  text: string;
  citationIndexes: number[];
}

/** Reads quotes of one report: what they say and which of the report's citations they carry, by mark, by link and by position. */
export class QuoteReader {
  private readonly known: ReadonlySet<number>;
  private readonly byUrl: ReadonlyMap<string, number>;
  private readonly spans: { index: number; start: number; end: number }[];

  constructor(citations: readonly Citation[]) {
    this.known = new Set(citations.map(({ index }) => index));
    this.byUrl = new Map(citations.toReversed().map(({ index, url }) => [sourceKey(url), index]));
    this.spans = citations.flatMap(({ index, startIndex, endIndex }) =>
      startIndex === null || endIndex === null ? [] : [{ index, start: startIndex, end: endIndex }],
    );
  }

  /** `start` is the quote's UTF-16 offset in the report. */
  read(quote: string, start: number): Reading {
    const found = new Set<number>();
    const unmarked = quote.replace(MARK_OR_LINK, (match: string, ...groups: Groups) => this.withoutMark(match, groups, found));
    for (const span of this.spans) {
      if (found.size >= MAX_CITATIONS_PER_QUOTE) break;
      if (span.start < start + quote.length && span.end > start) found.add(span.index);
    }
    const citationIndexes = [...found].slice(0, MAX_CITATIONS_PER_QUOTE).sort((a, b) => a - b);
    return { text: plainText(unmarked), citationIndexes };
  }

  private withoutMark(
    match: string,
    [code, open = '', label, url = '', close = '', numbers, lenticular]: Groups,
    found: Set<number>,
  ): string {
    if (code !== undefined) return match;
    if (label === undefined) {
      this.addNumbers(numbers ?? lenticular ?? '', found);
      return '';
    }
    const index = this.byUrl.get(sourceKey(url));
    if (index !== undefined) found.add(index);
    const number = /^\[?\^?(\d{1,5})\]?$/.exec(label)?.[1];
    if (number !== undefined) this.addNumbers(number, found);
    const aside = open.endsWith('(') && close === ')';
    return number !== undefined || aside ? '' : `${open}${label}${close}`;
  }

  private addNumbers(numbers: string, found: Set<number>): void {
    const only = Number(numbers); // Most marks name one source.
    if (this.known.has(only)) {
      found.add(only);
      return;
    }
    for (const part of numbers.split(/[,;]/)) {
      const [first = 0, last = first] = part.split(/[–-]/).map((number) => Number(number.replace(/\D/g, '')));
      for (let index = first; index <= Math.min(last, first + MAX_RANGE); index += 1) if (this.known.has(index)) found.add(index);
    }
  }
}

function plainText(markdown: string): string {
  if (!MAY_BE_MARKUP.test(markdown)) return collapseWhiteSpace(markdown);
  const unmarked = markdown.replace(MARKUP, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Partial<Record<string, string>>;
    return groups.code ?? groups.escaped ?? (match.startsWith('\n') ? ' ' : '');
  });
  return collapseWhiteSpace(unmarked);
}
