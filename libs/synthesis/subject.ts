import { partOf, readingOf, replacing } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { PARTICLES, verbAfter, type Opening } from './opening';
import type { SentenceRead } from './sentences-read';

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

/** "It" stands for nothing in "it is known that". */
const AFTER_EXPLETIVE = new Set(['that', 'to', 'whether', 'for']);
const NAME_WORD = String.raw`\p{Lu}[\p{L}\p{N}\p{M}'’.&-]*`;
const NAME_INSIDE = new RegExp(
  String.raw`(?<=[\p{Ll},]\s)${NAME_WORD}(?:\s+(?:(?:${[...PARTICLES].join('|')})\s+){0,2}${NAME_WORD})*`,
  'gu',
);

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
  refer({ reading: sentence, opening }: SentenceRead): Reference | null {
    if (!opening) {
      this.last = null;
      return NO_REFERENCE;
    }
    const { from, to, start, end, kind, named, isPossessive } = opening;
    if (named) {
      this.last = { subject: named, kind };
      if (kind === 'name') this.person = named;
      return { subject: named, insert: null, at: from, to, start, end };
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

function isExpletive(tokens: readonly Token[], at: number): boolean {
  const text = (place: number): string => tokens[place]?.word.text ?? '';
  if (text(at) !== 'it') return false;
  const copula = text(at + 1) === 'has' && text(at + 2) === 'been' ? at + 2 : at + 1;
  if (copula === at + 1 && text(copula) !== 'is' && text(copula) !== 'was') return false;
  return [1, 2, 3].some((place) => AFTER_EXPLETIVE.has(text(copula + place)));
}
