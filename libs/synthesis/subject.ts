import { FINITE_VERB } from '@lib/language/verbs';

/** The beginning of a sentence: `text.slice(from, to)` names what it speaks of, or is the pronoun that stands for it. */
interface Opening {
  from: number;
  to: number;
  kind: 'name' | 'thing' | 'person' | 'neuter';
  isPossessive: boolean;
}

/** What a sentence speaks of, and where to say so; `subject` is null where it cannot be told. */
export interface Reference {
  subject: string | null;
  /** Put in place of `text.slice(from, to)`; null where the text says it itself. */
  insert: string | null;
  from: number;
  to: number;
}

export const NO_REFERENCE: Reference = { subject: null, insert: null, from: 0, to: 0 };

const INTRODUCTION =
  /^(?:(?:however|additionally|moreover|furthermore|in addition|also|later|today|eventually|subsequently|originally|overall|meanwhile|afterwards?|then|(?:in|on|at|after|before|since|from|by|throughout|as|during|following|despite|with|for|prior to|apart from|aside from|along with|besides|outside of|among|when|while|born|known|raised|based|founded|considered|\w{3,}ing)\s[^,;:]{1,100}),\s+)+/i;
const PRONOUN = /^(?:(he|she|his|her)|it|its|they|their)\b/i;
/** "It" that stands for nothing. */
const EXPLETIVE = /^it (?:is|was|has been) (?:\w+ ){0,2}(?:that|to|whether|for)\b/i;
const PARTICLE = 'of|the|de|del|da|di|la|el|al|van|von|der|bin';
const NAME_WORD = String.raw`\p{Lu}[\p{L}\p{N}\p{M}'’.&-]*`;
const NAME = new RegExp(String.raw`^${NAME_WORD}(?:\s+(?:${NAME_WORD}|${PARTICLE}))*$`, 'u');
const NAME_INSIDE = new RegExp(String.raw`(?<=[\p{Ll},]\s)${NAME_WORD}(?:\s+(?:(?:${PARTICLE})\s+){0,2}${NAME_WORD})*`, 'gu');
const LONGEST_SUBJECT = 90;
const VERB = new RegExp(String.raw`\s+(?=${FINITE_VERB})`, 'u');

/**
 * Follows what the sentences of a report speak of, and puts it in the place of a pronoun in brackets, as an editor does: "[Ada Lovelace]
 * wrote …". "He" and "she" are the last name that was a subject or else the name in the question; "it" and "they" are the subject of the
 * sentence before. English only.
 */
export class Subjects {
  private person: string | null;
  private last: { subject: string; kind: Opening['kind'] } | null = null;
  /** Then a name is hardly ever meant by "it". */
  private readonly speaksOfPerson: boolean;

  /** Give the whole report. */
  constructor(question: string, report: string) {
    this.speaksOfPerson = /\b(?:he|she|his|her)\b/i.test(report);
    const names = question.match(NAME_INSIDE) ?? [];
    this.person = names.toSorted((a, b) => b.length - a.length)[0]?.replace(/[.'’-]+$/, '') ?? null;
  }

  /** What follows stands apart: "it" finds nothing before. */
  startBlock(): void {
    this.last = null;
  }

  /** Null for a sentence whose pronoun stands for something unknown. Give the sentences in order, without markup. */
  refer(text: string): Reference | null {
    const opening = openingOf(text);
    if (!opening) {
      this.last = null;
      return NO_REFERENCE;
    }
    const { from, to, kind, isPossessive } = opening;
    if (kind === 'name' || kind === 'thing') {
      const subject = text.slice(from, to);
      this.last = { subject, kind };
      if (kind === 'name') this.person = subject;
      return { subject, insert: null, from, to };
    }
    if (EXPLETIVE.test(text.slice(from))) return NO_REFERENCE;
    const known = kind === 'person' ? this.person : this.antecedentOfIt();
    if (known === null) return null;
    if (!isPossessive) return { subject: known, insert: `[${known}]`, from, to };
    const verb = VERB.exec(text.slice(to));
    this.last = null;
    const subject = verb ? `${possessive(known)}${text.slice(to, to + verb.index)}` : null;
    return { subject, insert: `[${possessive(known)}]`, from, to };
  }

  private antecedentOfIt(): string | null {
    return this.last === null || (this.last.kind === 'name' && this.speaksOfPerson) ? null : this.last.subject;
  }
}

/** The text, or the beginning of it, with its subject in place of a pronoun; empty where it ends before it has said anything of the subject. */
export function withSubject(text: string, { insert, from, to }: Reference): string {
  if (text.length <= to) return '';
  return insert === null ? text : `${text.slice(0, from)}${insert}${text.slice(to)}`;
}

function possessive(name: string): string {
  return name.endsWith('s') ? `${name}’` : `${name}’s`;
}

function openingOf(text: string): Opening | null {
  const from = INTRODUCTION.exec(text)?.[0].length ?? 0;
  const rest = text.slice(from);
  const [pronoun, person] = PRONOUN.exec(rest) ?? [];
  if (pronoun !== undefined) {
    const isPossessive = /^(?:his|its|their|her)$/i.test(pronoun);
    return { from, to: from + pronoun.length, kind: person === undefined ? 'neuter' : 'person', isPossessive };
  }
  const verb = VERB.exec(rest.slice(0, 2 * LONGEST_SUBJECT));
  if (!verb || verb.index === 0 || verb.index > LONGEST_SUBJECT) return null;
  const [subject = '', apposition] = rest.slice(0, verb.index).split(/\s*[(,]/, 2);
  const isName = NAME.test(subject) && !subject.startsWith('The ');
  if (subject === '' || (apposition !== undefined && !isName)) return null;
  return { from, to: from + subject.length, kind: isName ? 'name' : 'thing', isPossessive: false };
}
