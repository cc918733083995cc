import { textAt } from '@lib/language/reading/token';
import { partOf, replacing } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { namesAsked, personAsked } from './asked-person';
import { fitsNumber, isLikelyTopic, mayOwn } from './antecedent';
import { isExpletive } from './expletive';
import { nameAbove, thingAbove, type Headings } from './heading';
import { NamesInFull } from './names-in-full';
import { openingAbove, verbAfter, type Opening } from './opening';
import { NamesOfPersons } from './names-of-persons';
import { genderOf, PersonsCalled } from './persons-called';
import { referentOf, thingOf } from './owner';
import { PersonsSpokenOf } from './persons-spoken-of';
import { atBeginning, insideSentence, possessive } from './put-in';
import { sayableOf } from './sayable';
import { NO_REFERENCE, type Reference, type Referred } from './reference';
import type { SentenceRead } from './sentences-read';
import { isAside, isAttribute, isUnclearAfter } from './unclear-it';
import { mayBeOthers } from './unclear-they';

const ASKS_WHO = /\b(?:who|bio|biography)\b/i;

/**
 * Tracks the subjects of a report's sentences and inserts them in brackets in place of pronouns, as an editor does: "[Ada Lovelace] wrote …". "He"
 * and "she" refer to the last person that was a subject, or otherwise the one in the question; "it" and "they" to the subject of the sentence before,
 * if it agrees in number and nothing else is as likely. "The Act" refers to the thing that the report names with that word, if there is only one.
 * English only.
 */
export class Subjects {
  private last: Opening | null = null;
  /** The sentence that it is from. */
  private lastSentence: Reading | null = null;
  private headings: Headings | null = null;
  private section = '';
  /** The thing that the headings name, until something else becomes the subject. */
  private above: Opening | null = null;
  /** Whether in the earlier blocks below these headings only what they name was a subject. */
  isOfHeadings = true;
  private speaksOfOther = false;
  private readonly names: NamesOfPersons;
  private readonly persons: PersonsSpokenOf;
  private readonly inFull: NamesInFull;
  /** Whether the question names its topic. */
  private readonly asksByName: boolean;
  /** Whether it names a thing, and nobody. */
  private readonly asksForThing: boolean;

  /** Pass the whole report. */
  constructor(
    private readonly question: Reading,
    report: string,
  ) {
    this.inFull = new NamesInFull(report, question);
    this.asksByName = namesAsked(question.text).length > 0;
    const person = personAsked(question);
    this.asksForThing = question.names.length > 0 && person === null;
    const called = new PersonsCalled();
    this.names = new NamesOfPersons(person, report, called);
    this.persons = new PersonsSpokenOf(person, this.names, called);
  }

  /**
   * Begins a separate block: "it" only refers to a name in the headings, as long as nothing else has become the subject.
   * @param headings the headings above the block
   * @param section identifies the section, because "he" does not refer to anybody in another one
   */
  startBlock(headings: Headings | null, section: string): void {
    if (section !== this.section) this.persons.startSection(nameAbove(headings));
    this.section = section;
    if (headings !== this.headings) this.startSection(headings);
    this.isOfHeadings = !this.speaksOfOther;
    this.last = this.above;
    this.lastSentence = this.above?.named ?? null;
    this.inFull.startBlock();
  }

  private startSection(headings: Headings | null): void {
    this.headings = headings;
    this.speaksOfOther = false;
    const thing = thingAbove(headings);
    this.above = thing && openingAbove(thing);
  }

  /**
   * Pass the sentences in order, without markup, and coordinated ones together. If these have different subjects, "it" in the next sentence is
   * unclear.
   */
  referAll(joined: readonly SentenceRead[]): Referred[] {
    const [only] = joined;
    if (only && joined.length === 1) return [this.refer(only)];
    const spokenOf: (Opening | null)[] = [];
    const referred = joined.map((sentence) => {
      const own = this.refer(sentence);
      spokenOf.push(this.last);
      return own;
    });
    const [first] = referred;
    if (referred.some(({ reference }) => reference?.subject?.wording !== first?.reference?.subject?.wording))
      this.last = spokenOf.find((opening) => opening?.named && this.isAsked(opening.named)) ?? null;
    return referred;
  }

  /** Whether a name is certainly a person's: by a given name, an earlier pronoun, or a question that asks who it is. */
  isSurelyPerson(name: Reading): boolean {
    return this.names.isSurelyPerson(name, ASKS_WHO.test(this.question.text));
  }

  /** Whether this is the topic of the question, which remains a possible subject. */
  private isAsked({ stems }: Reading): boolean {
    return stems.size > 0 && stems.isSubsetOf(this.question.stems);
  }

  private refer({ reading: sentence, opening }: SentenceRead): Referred {
    const { isOnTopic } = this.inFull;
    const mayBeOther = opening?.named ? this.inFull.mayBeOther(opening.named) : false;
    const reference = this.referenceOf(sentence, opening);
    if (this.above && !isOf(this.above, reference)) this.above = null;
    if (!this.above && opening?.named !== null) this.speaksOfOther = true;
    this.persons.follow(sentence, opening, opening?.kind === 'person' && reference === null);
    this.inFull.follow(sentence, opening);
    return { reference, isOnTopic, mayBeOther };
  }

  private referenceOf(sentence: Reading, opening: Opening | null): Reference | null {
    if (!opening) {
      this.last = null;
      return NO_REFERENCE;
    }
    const { from, to, start, end, kind, named, isPossessive } = opening;
    if (named) {
      const full = kind === 'thing' ? this.inFull.nameFor(named) : null;
      this.inFull.learnFrom(named);
      this.last = full ? { ...opening, named: full } : opening;
      this.lastSentence = sentence;
      if (full) return { subject: full, insert: start > 0 ? insideSentence(full) : atBeginning(full), at: from, to, start, end };
      this.persons.name(opening, sentence);
      return { subject: named, insert: null, at: from, to, start, end };
    }
    if (isExpletive(sentence.tokens, from)) return NO_REFERENCE;
    const word = textAt(sentence.tokens, from);
    const known = kind === 'person' ? this.persons.calledBy(genderOf(word)) : this.antecedentOf(word, sentence, from);
    if (kind === 'person' || isPossessive) this.last = null;
    if (known === null) return null;
    const insert = start > 0 ? insideSentence(known) : atBeginning(known);
    if (!isPossessive) return { subject: known, insert, at: from, to, start, end };
    const owner = possessive(insert);
    const verb = verbAfter(sentence.tokens, from + 1, Infinity);
    const subject = verb < 0 ? null : replacing(partOf(sentence, from, verb), 0, owner);
    return { subject, insert: owner, at: from, to, start, end };
  }

  private antecedentOf(pronoun: string, { tokens }: Reading, at: number): Reading | null {
    const { last, lastSentence } = this;
    // As in "Annual revenue is 38 million euros. It offers laser welding", below the name of a company.
    if (last?.kind === 'thing' && last.named?.tokens[0]?.word.text !== 'the' && nameAbove(this.headings)) return null;
    const isPossessive = pronoun === 'its' || pronoun === 'their';
    // As in "The Great King led campaigns. Its chariots", below the name of an empire.
    if (isPossessive && ((last !== null && !mayOwn(last)) || (!this.above && thingAbove(this.headings) !== null))) return null;
    if (!last?.named || !lastSentence || (last.person && this.names.isPerson(last.person))) return null;
    // "Most have a garden. They …": of whom most do is only known from the sentence before.
    if (last.named.stems.size === 0) return null;
    const { named } = last;
    const isPlural = pronoun === 'they' || pronoun === 'their';
    const isCommon = this.isCommon(last);
    const opening: Opening = isCommon ? { ...last, kind: 'thing' } : last;
    // Ambiguous if the lake was asked about: "Ice covers the lake until May. It …".
    if (!isPlural && isCommon && (this.asksByName || isAttribute(named))) return null;
    if (!isLikelyTopic(last) || !fitsNumber(opening, isPlural) || (isPlural && mayBeOthers(opening, lastSentence))) return null;
    const { verb, hasIndefiniteObject } = last;
    const isOnlyAside = !this.isAsked(named) && isAside(last, this.asksForThing, isPossessive);
    if (!isPlural && (isOnlyAside || isUnclearAfter(last, lastSentence))) {
      this.last = null;
      return null;
    }
    const said = isPossessive
      ? ''
      : tokens
          .slice(at + 1)
          .map(({ word }) => word.text)
          .join(' ');
    const referent = isPlural ? 'subject' : referentOf(named, said);
    if (referent === 'thing') return thingOf(named);
    const known = referent === 'either' ? null : sayableOf({ sentence: lastSentence, named, verb, hasIndefiniteObject }, said);
    // Then the referent is unknown, and so is that of the sentences that continue it.
    if (known === null) this.last = null;
    else if (last.person) this.names.callThing(named);
    return known;
  }

  /** Whether a word only looks like a name because it begins the sentence: "Violations". */
  private isCommon({ kind, named }: Opening): boolean {
    return (
      kind === 'name' &&
      named !== this.above?.named &&
      named?.tokens.length === 1 &&
      !this.names.isName(named) &&
      !this.question.text.includes(named.text)
    );
  }
}

/** Whether a sentence continues with the thing named in the headings. */
const isOf = ({ named }: Opening, reference: Reference | null): boolean =>
  reference?.subject?.stems.isSubsetOf(named?.stems ?? reference.subject.stems) === true && reference.subject.stems.size > 0;
