import type { Citation } from '@lib/domain/citation';
import { sourceKey } from '@lib/text/source-key';

/** A quote never carries more: a report with thousands of overlapping spans must not blow up its claims. */
const MAX_CITATIONS_PER_QUOTE = 20;
const MAX_RANGE = 20;

const CODE_SPAN = '(?<code>`+[^`]+`+)';
const LINK_TARGET = String.raw`\(\s*<?(?<url>[^()\s<>]*(?:\([^()\s<>]*\)[^()\s<>]*)*)>?(?:\s+"[^"]*")?\s*\)`;
const LINK = String.raw`(?<open>\s*\(?)(?<!\\)!?\[(?<label>(?:\[\^?\d{1,5}\]|[^\][])*)\]${LINK_TARGET}(?<close>\)?)`;
const NUMBERS = String.raw`\s*(?<!\\)(?:\[\^?(?<numbers>\d{1,5}(?:\s*[,;–-]\s*\^?\d{1,5})*)\]|\[\^[^\]\s]{1,100}\]|【(?<lenticular>\d{1,5})[^】]{0,40}】)`;
const MARK_OR_LINK = new RegExp(`${CODE_SPAN}|${LINK}|${NUMBERS}`, 'gu');

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
    const unmarked = quote.replace(MARK_OR_LINK, (match: string, ...rest: unknown[]) => this.withoutMark(match, rest, found));
    for (const span of this.spans) if (span.start < start + quote.length && span.end > start) found.add(span.index);
    const citationIndexes = [...found].slice(0, MAX_CITATIONS_PER_QUOTE).sort((a, b) => a - b);
    return { text: plainText(unmarked), citationIndexes };
  }

  private withoutMark(match: string, rest: unknown[], found: Set<number>): string {
    const groups = rest.at(-1) as Partial<Record<string, string>>;
    if (groups.code !== undefined) return match;
    if (groups.label === undefined) {
      this.addNumbers(groups.numbers ?? groups.lenticular ?? '', found);
      return '';
    }
    const index = this.byUrl.get(sourceKey(groups.url ?? ''));
    if (index !== undefined) found.add(index);
    const number = /^\[?\^?(\d{1,5})\]?$/.exec(groups.label)?.[1];
    if (number !== undefined) this.addNumbers(number, found);
    const aside = groups.open?.endsWith('(') === true && groups.close === ')';
    return number !== undefined || aside ? '' : `${groups.open ?? ''}${groups.label}${groups.close ?? ''}`;
  }

  private addNumbers(numbers: string, found: Set<number>): void {
    for (const part of numbers.split(/[,;]/)) {
      const [first = 0, last = first] = part.split(/[–-]/).map((number) => Number(number.replace(/\D/g, '')));
      for (let index = first; index <= Math.min(last, first + MAX_RANGE); index += 1) if (this.known.has(index)) found.add(index);
    }
  }
}

function plainText(markdown: string): string {
  return markdown
    .replace(MARKUP, (match: string, ...rest: unknown[]) => {
      const groups = rest.at(-1) as Partial<Record<string, string>>;
      return groups.code ?? groups.escaped ?? (match.startsWith('\n') ? ' ' : '');
    })
    .replace(/\s+/g, ' ')
    .trim();
}
