import { COLON, COMMA, DASH, OPENING, SEMICOLON, SPACE, STOP } from '@lib/language/reading/characters';
import { wordsOf } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

/** The beginning of a sentence: its words from `from` to `to` name what it speaks of, or `from` is the pronoun that stands for it. */
export interface Opening {
  from: number;
  to: number;
  /** Where they begin and end in the text. */
  start: number;
  end: number;
  kind: 'name' | 'thing' | 'person' | 'neuter';
  /** The words that name it; null for a pronoun. */
  named: Reading | null;
  isPossessive: boolean;
}

const ADVERBS = new Set(
  'however additionally moreover furthermore also later today eventually subsequently originally overall meanwhile afterward afterwards then'.split(
    ' ',
  ),
);
/** With the words up to the next comma they introduce a sentence, as does a participle. */
const INTRODUCTIONS = new Set(
  `in on at after before since from by throughout as during following despite with for prior apart aside along besides outside among when while born known
raised based founded considered`.split(/\s+/),
);
const LONGEST_INTRODUCTION = 100;
const PERSONS = new Set(['he', 'she', 'his', 'her']);
const NEUTERS = new Set(['it', 'its', 'they', 'their']);
const POSSESSIVES = new Set(['his', 'her', 'its', 'their']);
/** Small words inside of a name. */
export const PARTICLES = new Set('of the de del da di la el al van von der bin'.split(' '));
const LONGEST_SUBJECT = 90;
const NAMED_OTHERWISE = new Set('known called named formerly previously originally abbreviated'.split(' '));

/** Null where it cannot be told what a sentence speaks of. */
export function openingOf(sentence: Reading): Opening | null {
  const { text, tokens } = sentence;
  const from = introductionOf(tokens);
  const first = tokens[from];
  if (!first) return null;
  const word = first.word.text;
  const isOpen = from > 0 || (first.before & ~SPACE) === 0;
  if (isOpen && (PERSONS.has(word) || NEUTERS.has(word))) return pronounAt(from, first);
  const verb = verbAfter(tokens, from + 1, first.start + LONGEST_SUBJECT);
  if (verb < 0) return null;
  let to = from + 1;
  while (to < verb && ((tokens[to]?.before ?? 0) & (COMMA | OPENING)) === 0) to += 1;
  const hasApposition = to < verb || ((tokens[verb]?.before ?? 0) & (COMMA | OPENING)) !== 0;
  const isName = isOpen && isNameFrom(tokens, from, to);
  if (hasApposition && !isName && !isSetOff(tokens, to)) return null;
  const { start } = first;
  const end = endBefore(text, tokens[to]?.start ?? text.length);
  const named = new Reading(text.slice(start, end), wordsOf(sentence, from, to));
  return { from, to, start, end, kind: isName ? 'name' : 'thing', named, isPossessive: false };
}

/** What follows is another name of it and no second subject: "The Data Act (DA)", "The bridge, also known as …,". */
function isSetOff(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token) return false;
  if (token.before & OPENING) return (token.before & COMMA) === 0;
  return NAMED_OTHERWISE.has(token.word.text) || (token.word.text === 'also' && NAMED_OTHERWISE.has(tokens[at + 1]?.word.text ?? ''));
}

function pronounAt(from: number, { word: { text }, start, end }: Token): Opening {
  const kind = PERSONS.has(text) ? 'person' : 'neuter';
  return { from, to: from + 1, start, end, kind, named: null, isPossessive: POSSESSIVES.has(text) };
}

/** Place of the first word after what introduces the sentence: "In 1852, ", "However, ". */
function introductionOf(tokens: readonly Token[]): number {
  let from = 0;
  for (;;) {
    const next = introductionFrom(tokens, from);
    if (next === from) return from;
    from = next;
  }
}

function introductionFrom(tokens: readonly Token[], from: number): number {
  const first = tokens[from];
  if (!first) return from;
  const { text, verb } = first.word;
  if (ADVERBS.has(text)) return first.after === (COMMA | SPACE) ? from + 1 : from;
  if (!(INTRODUCTIONS.has(text) || verb.endsInIng) || first.after !== SPACE) return from;
  for (let at = from + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.start - first.end > LONGEST_INTRODUCTION || token.before & (SEMICOLON | COLON)) return from;
    if (token.before & COMMA && at > from + 1) return token.before & SPACE ? at : from;
  }
  return from;
}

/** Place of the first finite verb from a word on that begins before `limit`; -1 if there is none. */
export function verbAfter(tokens: readonly Token[], from: number, limit: number): number {
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.start > limit) return -1;
    if (token.before & SPACE && isFiniteVerbAt(tokens, at)) return at;
  }
  return -1;
}

function isNameFrom(tokens: readonly Token[], from: number, to: number): boolean {
  const first = tokens[from];
  if (!first?.isCapitalised || first.word.text === 'the') return false;
  for (let at = from + 1; at < to; at += 1) {
    const token = tokens[at];
    if (!token || (token.before & ~(SPACE | STOP | DASH)) !== 0) return false;
    if (!token.isCapitalised && !PARTICLES.has(token.word.text) && (token.before & SPACE) !== 0) return false;
  }
  return true;
}

/** Where what stands before a place of the text ends, without what opens or divides. */
function endBefore(text: string, start: number): number {
  let end = start;
  while (end > 0 && /[\s,(]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
