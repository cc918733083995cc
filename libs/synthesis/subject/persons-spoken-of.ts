import type { Gender } from '@lib/language/known-words';
import type { Reading } from '@lib/language/reading/reading';
import type { Heading } from './heading';
import type { Opening } from './opening';
import { personIn, personsAmong, wordsAfterNames, wordsInside } from './person-name';
import { beginsWithPronoun, genderCalledIn, givenGender, hasPersonAsObject, lastWordOf, PersonsCalled, relativeIn } from './persons-called';

/**
 * Follows whom a report calls "he" and "she": the last person that was a subject, or else the one that the question asks about. Nobody where two may
 * be meant. English.
 */
export class PersonsSpokenOf {
  private person: Reading | null;
  /** The only one whom the last sentence that names others named by the way. */
  private met: Reading | null = null;
  /** Whom the sentence before spoke of. */
  private near: Reading | null = null;
  private calledBefore: Gender | null = null;
  /** The sentence before names whoever is asked about. */
  private namedAsked = false;
  /** It speaks of a relative of somebody who may be called so. */
  private relative: Gender | null = null;
  /** Whom else it names. */
  private others: readonly Reading[] = [];
  /** Somebody whom nobody could tell is called so since a person was named. */
  private unknown: Gender | null = null;
  /** The person before the sentence that is read. */
  private before: Reading | null;
  private readonly called = new PersonsCalled();
  private isAboutPerson: boolean | undefined;
  /** Of the report, found when first asked for. */
  private afterNames: ReadonlySet<string> | undefined;
  private inside: ReadonlySet<string> | undefined;
  /** Last words of names that were "it". */
  private readonly things = new Set<string>();

  /** @param asked whom the question asks about; null where it names nobody. Give the whole report. */
  constructor(
    private readonly asked: Reading | null,
    private readonly report: string,
  ) {
    this.person = asked;
    this.before = asked;
  }

  /**
   * What follows stands below other headings. Below the full name of somebody it speaks of her, below others of whoever is asked about.
   * @param above that of them that is a name; null where none is
   */
  startSection(above: Heading | null): void {
    const name = above?.name ?? null;
    const isPerson = name !== null && above?.isSure === true && this.isNamedInFull(name);
    const person = isPerson ? personIn(name, 0, name.tokens.length, true) : null;
    this.person = this.near = this.before = person ?? this.asked;
    this.met = null;
    this.relative = null;
    this.calledBefore = null;
    this.others = [];
    this.unknown = null;
    this.called.startSection();
  }

  /** To be told of each sentence that names what it speaks of, before `follow`. */
  name({ person, to }: Opening, sentence: Reading): void {
    if (!person || !this.isSpokenOf(person)) return;
    this.unknown = null;
    if (!hasPersonAsObject(sentence, to)) this.person = person;
  }

  /** Give every sentence, after whom it speaks of was asked for. @param isUnknown it begins with a pronoun that stands for nobody known */
  follow(sentence: Reading, opening: Opening | null, isUnknown: boolean): void {
    this.met = null;
    const persons = personsAmong(sentence);
    this.called.learnFrom(sentence, persons, this.asked);
    this.goOn(sentence, opening, persons);
    // Whoever "he" is in a sentence is none of those whom it names.
    if (!opening?.person && !isUnknown) this.meet(persons);
    this.before = this.person;
    this.relative = relativeIn(sentence, opening);
    const lastName = this.person === null ? '' : lastWordOf(this.person);
    this.others = persons.filter((person) => lastWordOf(person) !== lastName);
    this.namedAsked = this.asked !== null && names(sentence, lastWordOf(this.asked));
  }

  /** What was "it" is nobody. */
  callThing(name: Reading): void {
    this.things.add(lastWordOf(name));
  }

  /** Whom a sentence spoke of, also where it names nobody: "Under him the team won". */
  private goOn(sentence: Reading, opening: Opening | null, persons: readonly Reading[]): void {
    const gender = genderCalledIn(sentence);
    const opened = opening?.person ?? null;
    const isOthers = opening !== null && opened !== null && hasPersonAsObject(sentence, opening.to);
    if (isOthers) this.met = opened;
    const called = isOthers ? this.person : this.near;
    const isNamed = opened !== null || opening?.kind === 'person' || this.person !== this.before;
    const namesNobody = !isNamed && persons.length === 0;
    const mayGoOn = gender !== null && called !== null && called === this.person && this.mayBeCalled(called, gender);
    const isUnclear = mayGoOn && namesNobody && this.isOneOfTwo(called, gender) && !beginsWithPronoun(sentence);
    const goesOn = mayGoOn && !isUnclear;
    if (goesOn && (isOthers || namesNobody)) this.called.call(called, gender);
    this.near = isNamed || goesOn ? this.person : null;
    this.calledBefore = isUnclear ? null : gender;
  }

  /** Another person whom a sentence names by the way may be meant next, unless one is spoken of already; of several it is not known who. */
  private meet(persons: readonly Reading[]): void {
    if (this.asked) return;
    const known = this.person?.tokens.at(-1)?.word.text;
    const others = persons.filter(({ tokens }) => tokens.at(-1)?.word.text !== known);
    if (others.length === 0) return;
    this.met = others.length === 1 ? (others[0] ?? null) : null;
    if (this.person === null || this.called.genderOf(this.person) === undefined) this.person = this.met;
  }

  private isSpokenOf(person: Reading): boolean {
    return this.isNamedInFull(person) || ((this.asked !== null || this.person === null) && this.isName(person));
  }

  /** A single word is the name of a person where the report has it after a first name. */
  private isNamedInFull({ tokens, text }: Reading): boolean {
    if (tokens.length > 1) return true;
    return (this.afterNames ??= wordsAfterNames(this.report)).has(text);
  }

  /** The first word of a sentence may be any, unless it has its capital elsewhere too. */
  isName({ text }: Reading): boolean {
    return (this.inside ??= wordsInside(this.report)).has(text);
  }

  /**
   * Where the person spoken of was called otherwise, or her given name tells otherwise, another may be meant who was named by the way; null if none
   * was: "Harry Belafonte became her mentor. She …".
   */
  calledBy(gender: Gender): Reading | null {
    const asked = this.speaksOfAsked(gender) ? this.asked : null;
    const mayBe = (name: Reading | null): boolean => name !== null && this.mayBeCalled(name, gender) && this.fitsGivenName(name, gender);
    const goesOn = this.calledBefore === gender ? this.called.lastCalledHere(gender) : null;
    if (this.unknown === gender) return null;
    const isPassedOver = this.isPassedOver(gender);
    const person = isPassedOver ? null : this.person;
    const found = [person, this.met].find(mayBe) ?? asked ?? goesOn;
    const known = found && !this.isRatherAnother(found, gender) ? this.certainOf(found, gender) : null;
    if (known) {
      this.person = known;
      this.called.call(known, gender);
    } else if (isPassedOver) this.unknown = gender;
    return known;
  }

  /** Whether the sentence before spoke of nobody but another who may be called so: "The keeper, Matteo Holm, was out. He". Whoever is asked about is still meant. */
  private isPassedOver(gender: Gender): boolean {
    const { person } = this;
    if (this.near !== null || this.others.length === 0 || person === null) return false;
    if ((this.called.genderOf(person) ?? givenGender(person)) !== gender) return true;
    const isAsked = this.asked !== null && lastWordOf(person) === lastWordOf(this.asked);
    return !isAsked && this.others.some((other) => (givenGender(other) ?? gender) === gender);
  }

  /** Whether the sentence before called whoever is asked about so, or else named her. */
  private speaksOfAsked(gender: Gender): boolean {
    const called = this.asked ? this.called.genderOf(this.asked) : null;
    return called === undefined ? this.namedAsked : this.calledBefore === gender && called === gender;
  }

  /** Another who was "she" before is meant rather than one of whom it is not known, unless the sentence before spoke of the latter alone. */
  private certainOf(name: Reading, gender: Gender): Reading | null {
    const other = this.called.lastCalled(gender);
    if (!other || this.called.genderOf(name) === gender || this.met === name) return name;
    if (this.near !== name) return this.calledBefore === gender ? this.called.lastCalledHere(gender) : null;
    if (this.calledBefore !== gender || sharesWord(name, other) || !this.isUnclear(name, gender)) return name;
    return givenGender(name) === undefined ? null : this.called.lastCalledHere(gender);
  }

  /** "Her daughter won a prize. She": which of the two? "Maria Mitchell taught Peter Hale, and he": her given name does count where the sentence before names somebody else. */
  private isRatherAnother(name: Reading, gender: Gender): boolean {
    if (this.relative === gender) return true;
    return this.others.length > 0 && this.called.genderOf(name) === undefined && (givenGender(name) ?? gender) !== gender;
  }

  /** The one asked about is not judged by her given name. */
  private fitsGivenName(name: Reading, gender: Gender): boolean {
    if (this.asked && lastWordOf(name) === lastWordOf(this.asked)) return true;
    return (this.called.genderOf(name) ?? givenGender(name) ?? gender) === gender;
  }

  /** "Ada wrote to Berry Lund, who was a friend of hers": nothing tells which of the two "she" is next. */
  private isUnclear(name: Reading, gender: Gender): boolean {
    if (this.asked && sharesWord(name, this.asked)) return false;
    return this.called.genderOf(name) === undefined && givenGender(name) !== gender;
  }

  private isOneOfTwo(name: Reading, gender: Gender): boolean {
    return this.called.lastCalled(gender) !== null && this.called.genderOf(name) !== gender;
  }

  private mayBeCalled(name: Reading, gender: Gender): boolean {
    return !this.things.has(lastWordOf(name)) && (this.called.genderOf(name) ?? gender) === gender;
  }

  isSurelyPerson(name: Reading, asksWho: boolean): boolean {
    if (givenGender(name) !== undefined || this.called.genderOf(name) !== undefined) return true;
    return asksWho && this.asked !== null && lastWordOf(name) === lastWordOf(this.asked);
  }

  /** Rather than a company or a product, in a report that speaks of somebody. */
  isPerson(name: Reading): boolean {
    if (givenGender(name) !== undefined) return true;
    if (!this.speaksOfPerson()) return false;
    return this.asked !== null || this.called.genderOf(name) !== undefined || this.isNamedInFull(name);
  }

  private speaksOfPerson(): boolean {
    return (this.isAboutPerson ??= /\b(?:he|she|his|her)\b/i.test(this.report));
  }
}

const names = ({ tokens }: Reading, lastName: string): boolean =>
  tokens.some(({ word, isCapitalised }) => isCapitalised && word.text === lastName);

/** "Martinez" and "Regina Martínez": the stems have no accents. */
const sharesWord = (one: Reading, other: Reading): boolean => !one.stems.isDisjointFrom(other.stems);
