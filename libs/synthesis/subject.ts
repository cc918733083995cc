import { COLON, COMMA, DASH, OPENING, SEMICOLON, SPACE, STOP } from '@lib/language/reading/characters';
import { partOf, readingOf, replacing, wordsOf } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';

/** The beginning of a sentence: its words from `from` to `to` name what it speaks of, or `from` is the pronoun that stands for it. */
interface Opening {
  from: number;
  to: number;
  /** Where they end in the text. */
  end: number;
  kind: 'name' | 'thing' | 'person' | 'neuter';
  isPossessive: boolean;
}

/** What a sentence speaks of, and where to say so; `subject` is null where it cannot be told. */
export interface Reference {
  subject: Reading | null;
  /** Put in place of the pronoun; null where the text says it itself. */
  insert: Reading | null;
  /** Place of the pronoun or of the first word of the subject, and of the word after it. */
  at: number;
  to: number;
  /** Where it begins and ends in the text. */
  start: number;
  end: number;
}

export const NO_REFERENCE: Reference = { subject: null, insert: null, at: 0, to: 0, start: 0, end: 0 };

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
/** "It" stands for nothing in "it is known that". */
const AFTER_EXPLETIVE = new Set(['that', 'to', 'whether', 'for']);
const PARTICLES = new Set('of the de del da di la el al van von der bin'.split(' '));
const NAME_WORD = String.raw`\p{Lu}[\p{L}\p{N}\p{M}'’.&-]*`;
const NAME_INSIDE = new RegExp(
  String.raw`(?<=[\p{Ll},]\s)${NAME_WORD}(?:\s+(?:(?:${[...PARTICLES].join('|')})\s+){0,2}${NAME_WORD})*`,
  'gu',
);
const LONGEST_SUBJECT = 90;

/**
 * Follows what the sentences of a report speak of, and puts it in the place of a pronoun in brackets, as an editor does: "[Ada Lovelace]
 * wrote …". "He" and "she" are the last name that was a subject or else the name in the question; "it" and "they" are the subject of the
 * sentence before. English only.
 */
export class Subjects {
  private person: Reading | null;
  private last: { subject: Reading; kind: Opening['kind'] } | null = null;
  private isAboutPerson: boolean | undefined;

  /** Give the whole report. */
  constructor(
    question: string,
    private readonly report: string,
  ) {
    const names = question.match(NAME_INSIDE) ?? [];
    const longest = names.toSorted((a, b) => b.length - a.length)[0]?.replace(/[.'’-]+$/, '');
    this.person = longest === undefined ? null : readingOf(longest);
  }

  /** What follows stands apart: "it" finds nothing before. */
  startBlock(): void {
    this.last = null;
  }

  /** Null for a sentence whose pronoun stands for something unknown. Give the sentences in order, without markup. */
  refer(sentence: Reading): Reference | null {
    const opening = openingOf(sentence);
    if (!opening) {
      this.last = null;
      return NO_REFERENCE;
    }
    const { from, to, end, kind, isPossessive } = opening;
    const start = sentence.tokens[from]?.start ?? 0;
    if (kind === 'name' || kind === 'thing') {
      const subject = new Reading(sentence.text.slice(start, end), wordsOf(sentence, from, to));
      this.last = { subject, kind };
      if (kind === 'name') this.person = subject;
      return { subject, insert: null, at: from, to, start, end };
    }
    if (isExpletive(sentence.tokens, from)) return NO_REFERENCE;
    const known = kind === 'person' ? this.person : this.antecedentOfIt();
    if (known === null) return null;
    if (!isPossessive) return { subject: known, insert: known, at: from, to, start, end };
    this.last = null;
    const owner = possessive(known);
    const verb = verbAfter(sentence.tokens, from + 1, Infinity);
    const subject = verb < 0 ? null : replacing(partOf(sentence, from, verb), 0, owner);
    return { subject, insert: owner, at: from, to, start, end };
  }

  private antecedentOfIt(): Reading | null {
    return this.last === null || (this.last.kind === 'name' && this.speaksOfPerson()) ? null : this.last.subject;
  }

  /** Then a name is hardly ever meant by "it". */
  private speaksOfPerson(): boolean {
    return (this.isAboutPerson ??= /\b(?:he|she|his|her)\b/i.test(this.report));
  }
}

/** The text, or the beginning of it, with its subject in place of a pronoun; empty where it ends before it has said anything of the subject. */
export function withSubject(text: string, { insert, start, end }: Reference): string {
  if (text.length <= end) return '';
  return insert === null ? text : `${text.slice(0, start)}[${insert.text}]${text.slice(end)}`;
}

function possessive({ text, tokens }: Reading): Reading {
  return new Reading(`${text}${text.endsWith('s') ? '’' : '’s'}`, tokens);
}

function openingOf({ text, tokens }: Reading): Opening | null {
  const from = introductionOf(tokens);
  const first = tokens[from];
  if (!first) return null;
  const word = first.word.text;
  const isOpen = from > 0 || (first.before & ~SPACE) === 0;
  if (isOpen && (PERSONS.has(word) || NEUTERS.has(word)))
    return { from, to: from + 1, end: first.end, kind: PERSONS.has(word) ? 'person' : 'neuter', isPossessive: POSSESSIVES.has(word) };
  const verb = verbAfter(tokens, from + 1, first.start + LONGEST_SUBJECT);
  if (verb < 0) return null;
  let to = from + 1;
  while (to < verb && ((tokens[to]?.before ?? 0) & (COMMA | OPENING)) === 0) to += 1;
  const hasApposition = to < verb || ((tokens[verb]?.before ?? 0) & (COMMA | OPENING)) !== 0;
  const isName = isOpen && isNameFrom(tokens, from, to);
  if (hasApposition && !isName) return null;
  return { from, to, end: endBefore(text, tokens[to]?.start ?? text.length), kind: isName ? 'name' : 'thing', isPossessive: false };
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
function verbAfter(tokens: readonly Token[], from: number, limit: number): number {
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

function isExpletive(tokens: readonly Token[], at: number): boolean {
  const text = (place: number): string => tokens[place]?.word.text ?? '';
  if (text(at) !== 'it') return false;
  const copula = text(at + 1) === 'has' && text(at + 2) === 'been' ? at + 2 : at + 1;
  if (copula === at + 1 && text(copula) !== 'is' && text(copula) !== 'was') return false;
  return [1, 2, 3].some((place) => AFTER_EXPLETIVE.has(text(copula + place)));
}

/** Where what stands before a place of the text ends, without what opens or divides. */
function endBefore(text: string, start: number): number {
  let end = start;
  while (end > 0 && /[\s,(]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}
