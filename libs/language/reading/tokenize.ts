import { remembering } from '../remembering';
import {
  APOSTROPHE,
  ASTRAL,
  COLON,
  COMMA,
  CURRENCY,
  DASH,
  DIGIT,
  kindAt,
  LETTER,
  MINUS,
  OPENING,
  SPACE,
  STOP,
  UNSPACED,
  WORD,
} from './characters';
import type { Token } from './token';
import { inEnglish } from './numeral';
import { unitOf } from './units';
import { lookUp, wordWithDigits, type Word } from './word';

/** Longer numbers are not cached, since they rarely recur. Words that also contain letters, such as model names, are. */
const MAX_REMEMBERED_NUMBER_LENGTH = 4;

let segmenter: Intl.Segmenter | undefined;

/** The words of a text in order, in one pass over its characters. Numbers and identifiers stay whole: `reply.send`, `v1.2`, `don't`, `1,000`. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let gap = 0;
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    if ((kind & WORD) === 0) {
      gap |= kind & DASH && isMinus(text, at) ? kind | MINUS : kind & ~ASTRAL;
      at += kind & ASTRAL ? 2 : 1;
      continue;
    }
    endGap(tokens, gap);
    const { end, kinds } = wordFrom(text, at);
    const written = text.slice(at, end);
    if (kinds & UNSPACED) addUnspaced(tokens, written, at, gap);
    else {
      const { word, isCapitalised, isPrefixed } = isOfName(text, written, end) ? asWritten(written) : knownWord(written, kinds);
      if (isPrefixed) addPrefixed(tokens, written, at, gap);
      else tokens.push({ word, start: at, end, isCapitalised, before: gap, after: 0 });
    }
    at = end;
    gap = 0;
  }
  endGap(tokens, gap);
  return tokens;
}

function isMinus(text: string, at: number): boolean {
  const before = at === 0 ? SPACE : kindAt(text, at - 1);
  const next = at + 1 < text.length ? kindAt(text, at + 1) : 0;
  return (before & (SPACE | OPENING)) !== 0 && ((next & (DIGIT | CURRENCY)) !== 0 || text.charAt(at + 1) === '$');
}

function endGap(tokens: readonly Token[], gap: number): void {
  const last = tokens[tokens.length - 1];
  if (last) last.after = gap;
}

const found = { end: 0, kinds: 0 };

/** The end of the word that begins here, and the kinds of its characters. Returns a single object that each call overwrites. */
function wordFrom(text: string, start: number): typeof found {
  let kinds = 0;
  let last = 0;
  let at = start;
  for (; at < text.length;) {
    const kind = kindAt(text, at);
    if (kind & WORD) {
      kinds |= kind;
      last = kind;
      at += kind & ASTRAL ? 2 : 1;
    } else if (kind & (STOP | APOSTROPHE | COMMA | COLON) && joins(kind, last, at + 1 < text.length ? kindAt(text, at + 1) : 0)) at += 1;
    else break;
  }
  found.end = at;
  found.kinds = kinds;
  return found;
}

function joins(kind: number, last: number, next: number): boolean {
  return kind & (STOP | APOSTROPHE) ? (next & (LETTER | DIGIT)) !== 0 : (last & DIGIT) !== 0 && (next & DIGIT) !== 0;
}

function knownWord(written: string, kinds: number): ReturnType<typeof readWord> {
  return (kinds & LETTER) === 0 && written.length > MAX_REMEMBERED_NUMBER_LENGTH ? readWord(written) : rememberedWord(written);
}

/** Whether a number is part of a chemical name: "1,2-dichloroethane" and "2,4-D", but not "1,5-litre". */
function isOfName(text: string, written: string, end: number): boolean {
  if (text.charAt(end) !== '-' || !PLACES.test(written)) return false;
  const name = NAME.exec(text.slice(end + 1, end + 1 + MAX_UNIT_LENGTH))?.[0];
  return name !== undefined && unitOf(name) === null;
}

const PLACES = /^\d{1,2}(?:,\d{1,2})+$/;
const NAME = /^\p{L}+/u;
const MAX_UNIT_LENGTH = 20;

const asWritten = (written: string): ReturnType<typeof readWord> => ({
  word: wordWithDigits(written),
  isCapitalised: false,
  isPrefixed: false,
});

function addUnspaced(tokens: Token[], written: string, start: number, before: number): void {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  let gap = before;
  for (const { segment, index, isWordLike } of segmenter.segment(written)) {
    if (!isWordLike) continue;
    const { word, isCapitalised } = rememberedWord(segment);
    tokens.push({ word, start: start + index, end: start + index + segment.length, isCapitalised, before: gap, after: 0 });
    gap = 0;
  }
}

/** Splits a prefix from its word, so that "cofounded" reads like "co-founded". */
function addPrefixed(tokens: Token[], written: string, start: number, before: number): void {
  const [one, other] = [rememberedWord(written.slice(0, PREFIX_LENGTH)), rememberedWord(written.slice(PREFIX_LENGTH))];
  const joint = start + PREFIX_LENGTH;
  tokens.push({ word: one.word, start, end: joint, isCapitalised: one.isCapitalised, before, after: DASH });
  tokens.push({ word: other.word, start: joint, end: start + written.length, isCapitalised: other.isCapitalised, before: DASH, after: 0 });
}

const PREFIX_LENGTH = 'co'.length;
const PREFIXED = /^co(?:found|author|host|direct|produc|edit|invent|chair|wr[io]t)/;

/** Caches words; numbers are separate words that `lookUp` does not cache. */
const rememberedWord = remembering(readWord, 600);

const NUMBER = /^[\d.,:]+$/;

function readWord(written: string): { word: Word; isCapitalised: boolean; isPrefixed: boolean } {
  if (NUMBER.test(written)) return asWritten(inEnglish(written));
  const text = (/^[\0-\x7F]*$/.test(written) ? written : written.normalize('NFKC')).toLowerCase().replaceAll('’', "'");
  const bare = text.replace(/'s?$/, '');
  const isCapitalised = /^\p{Lu}/u.test(written);
  return { word: /\p{N}/u.test(bare) ? wordWithDigits(inEnglish(bare)) : lookUp(bare), isCapitalised, isPrefixed: PREFIXED.test(bare) };
}
