import { partOf, readingOf, replacing } from '@lib/language/reading/parts';
import { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { fitsNumber, isLikelyTopic } from './antecedent';
import { PARTICLES, verbAfter, type Opening } from './opening';
import { personIn, personsAmong, wordsAfterNames, wordsInside } from './person-name';
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

/** "It" stands for nothing in "it is known that", but for something in "it is a company that". */
const BEFORE_THAT = new Set(['that', 'whether']);
const DETERMINERS = new Set('a an the its his her their one'.split(' '));
const CLAIMED = new Set('fact myth misconception pity shame surprise coincidence'.split(' '));
/** "It is important to", "it is common for": "it is able to" speaks of something. */
const JUDGING = new Set(
  'important possible impossible necessary difficult hard best better advisable recommended common essential crucial vital unclear rare'.split(
    ' ',
  ),
);
const ABOUT_PERSON = /\b(?:who|whom|whose|bio|biography|life|lived|born|died|he|she|his|her)\b/i;
const NAME_WORD = String.raw`\p{Lu}[\p{L}\p{N}\p{M}'’.&-]*`;
/** Not after "the" or a number, where it hardly names a person. */
const NAME_INSIDE = new RegExp(
  String.raw`(?<=[\p{Ll},]\s)(?<!\b[Tt]he\s|\p{Lu}\p{L}*\s)${NAME_WORD}(?:\s+(?:(?:${[...PARTICLES].join('|')})\s+){0,2}${NAME_WORD})*`,
  'gu',
);

/**
 * Follows what the sentences of a report speak of, and puts it in the place of a pronoun in brackets, as an editor does: "[Ada Lovelace]
 * wrote …". "He" and "she" are the last person that was a subject or else the one in the question; "it" and "they" are the subject of the
 * sentence before, where it fits in number and nothing else is as likely. English only.
 */
export class Subjects {
  private readonly asked: Reading | null;
  private person: Reading | null;
  /** The only one whom the last sentence that names others named by the way. */
  private met: Reading | null = null;
  private last: Opening | null = null;
  private isAboutPerson: boolean | undefined;
  /** Of the report, found when first asked for. */
  private afterNames: ReadonlySet<string> | undefined;
  private inside: ReadonlySet<string> | undefined;
  /** By the last word of a name: whether it was "he" or "she". */
  private readonly genders = new Map<string, string>();
  /** Last words of names that were "it". */
  private readonly things = new Set<string>();

  /** Give the whole report. */
  constructor(
    question: string,
    private readonly report: string,
  ) {
    const names = question.match(NAME_INSIDE) ?? [];
    const longest = names.toSorted((a, b) => b.length - a.length)[0]?.replace(/[.'’-]+$/, '');
    const named = longest === undefined ? null : readingOf(longest);
    const mayBePerson = named !== null && (named.tokens.length > 1 || ABOUT_PERSON.test(question));
    this.asked = mayBePerson ? personIn(named, 0, named.tokens.length, true) : null;
    this.person = this.asked;
  }

  /** What follows stands apart: "it" finds nothing before. */
  startBlock(): void {
    this.last = null;
  }

  /** Null for a sentence whose pronoun stands for something unknown. Give the sentences in order, without markup. */
  refer({ reading: sentence, opening }: SentenceRead): Reference | null {
    const reference = this.referenceOf(sentence, opening);
    this.met = null;
    // Whoever "he" is in a sentence is none of those whom it names.
    const isUnknown = opening?.kind === 'person' && reference === null;
    if (!opening?.person && !isUnknown) this.meet(sentence);
    return reference;
  }

  private referenceOf(sentence: Reading, opening: Opening | null): Reference | null {
    if (!opening) {
      this.last = null;
      return NO_REFERENCE;
    }
    const { from, to, start, end, kind, named, person, isPossessive } = opening;
    if (named) {
      this.last = opening;
      if (person && (this.asked || this.isNamedInFull(person) || (this.person === null && this.isName(person)))) this.person = person;
      return { subject: named, insert: null, at: from, to, start, end };
    }
    if (isExpletive(sentence.tokens, from)) return NO_REFERENCE;
    const word = sentence.tokens[from]?.word.text ?? '';
    const known = kind === 'person' ? this.personFor(word) : this.antecedentOf(word);
    if (kind === 'person' || isPossessive) this.last = null;
    if (known === null) return null;
    const insert = start > 0 ? insideSentence(known) : known;
    if (!isPossessive) return { subject: known, insert, at: from, to, start, end };
    const owner = possessive(insert);
    const verb = verbAfter(sentence.tokens, from + 1, Infinity);
    const subject = verb < 0 ? null : replacing(partOf(sentence, from, verb), 0, owner);
    return { subject, insert: owner, at: from, to, start, end };
  }

  /** Another person whom a sentence names by the way may be meant next, unless one is spoken of already; of several it is not known who. */
  private meet(sentence: Reading): void {
    if (this.asked) return;
    const known = this.person?.tokens.at(-1)?.word;
    const others = personsAmong(sentence).filter(({ tokens }) => tokens.at(-1)?.word !== known);
    if (others.length === 0) return;
    this.met = others.length === 1 ? (others[0] ?? null) : null;
    if (known === undefined || !this.genders.has(known.text)) this.person = this.met;
  }

  /** A single word is the name of a person where the report has it after a first name. */
  private isNamedInFull({ tokens, text }: Reading): boolean {
    if (tokens.length > 1) return true;
    return (this.afterNames ??= wordsAfterNames(this.report)).has(text);
  }

  /** The first word of a sentence may be any, unless it has its capital elsewhere too. */
  private isName({ text }: Reading): boolean {
    return (this.inside ??= wordsInside(this.report)).has(text);
  }

  /** Where the person spoken of was called otherwise, another may be meant who was named by the way; null if none was. */
  private personFor(pronoun: string): Reading | null {
    const gender = pronoun === 'he' || pronoun === 'his' ? 'he' : 'she';
    const known = [this.person, this.met].find((name) => name !== null && this.mayBeCalled(name, gender)) ?? null;
    if (known) {
      this.person = known;
      this.genders.set(lastWordOf(known), gender);
    }
    return known;
  }

  private mayBeCalled(name: Reading, gender: string): boolean {
    const word = lastWordOf(name);
    return !this.things.has(word) && (this.genders.get(word) ?? gender) === gender;
  }

  private antecedentOf(pronoun: string): Reading | null {
    const { last } = this;
    if (!last?.named || (last.person && this.isPerson(last.person))) return null;
    const isPlural = pronoun === 'they' || pronoun === 'their';
    if (!isLikelyTopic(last) || !fitsNumber(last, isPlural)) return null;
    if (last.person) this.things.add(lastWordOf(last.named));
    return last.named;
  }

  /** Rather than a company or a product, in a report that speaks of somebody. */
  private isPerson(name: Reading): boolean {
    if (!this.speaksOfPerson()) return false;
    return this.asked !== null || this.genders.has(lastWordOf(name)) || this.isNamedInFull(name);
  }

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

const lastWordOf = ({ tokens }: Reading): string => tokens.at(-1)?.word.text ?? '';

/** Its article is small unless it begins the sentence. */
function insideSentence(name: Reading): Reading {
  return /^(?:The|An?) /.test(name.text) ? new Reading(name.text.charAt(0).toLowerCase() + name.text.slice(1), name.tokens) : name;
}

function isExpletive(tokens: readonly Token[], at: number): boolean {
  const text = (place: number): string => tokens[place]?.word.text ?? '';
  if (text(at) !== 'it') return false;
  const copula = text(at + 1) === 'has' && text(at + 2) === 'been' ? at + 2 : at + 1;
  if (copula === at + 1 && text(copula) !== 'is' && text(copula) !== 'was') return false;
  const next = [1, 2, 3].map((place) => text(copula + place));
  if (next.some((word) => JUDGING.has(word))) return next.some((word) => word === 'to' || word === 'for' || BEFORE_THAT.has(word));
  const that = next.findIndex((word) => BEFORE_THAT.has(word));
  return that >= 0 && (!next.slice(0, that).some((word) => DETERMINERS.has(word)) || CLAIMED.has(next[that - 1] ?? ''));
}
