import type { Gender } from '@lib/language/known-words';
import type { Reading } from '@lib/language/reading/reading';
import type { Heading } from './heading';
import type { Opening } from './opening';
import { personIn, personsAmong } from './person-name';
import type { NamesOfPersons } from './names-of-persons';
import {
  beginsWithPronoun,
  genderCalledIn,
  givenGender,
  hasPersonAsObject,
  lastWordOf,
  relativeIn,
  type PersonsCalled,
} from './persons-called';

/**
 * Tracks the referents of "he" and "she" in a report: the last person that was a subject, or otherwise the one asked about. Nobody if two are
 * possible. English.
 */
export class PersonsSpokenOf {
  private person: Reading | null;
  /** The only other person mentioned in the last sentence that mentions any. */
  private met: Reading | null = null;
  /** The person that the previous sentence was about. */
  private near: Reading | null = null;
  private calledBefore: Gender | null = null;
  /** Whether the previous sentence names the person asked about. */
  private namedAsked = false;
  /** The gender of a relative that it is about. */
  private relative: Gender | null = null;
  /** Other persons that it names. */
  private others: readonly Reading[] = [];
  /** A gender used for an unknown person since somebody was named. */
  private unknown: Gender | null = null;
  /** The person before the current sentence. */
  private before: Reading | null;

  /** @param asked the person that the question asks about; null if it names none */
  constructor(
    private readonly asked: Reading | null,
    private readonly names: NamesOfPersons,
    private readonly called: PersonsCalled,
  ) {
    this.person = asked;
    this.before = asked;
  }

  /**
   * Begins a section below other headings. Below a person's full name it is about that person, otherwise about the one asked about.
   * @param above the heading that is a name; null if there is none
   */
  startSection(above: Heading | null): void {
    const name = above?.name ?? null;
    const isPerson = name !== null && above?.isSure === true && this.names.isNamedInFull(name);
    const person = isPerson ? personIn(name, 0, name.tokens.length, true) : null;
    this.person = this.near = this.before = person ?? this.asked;
    this.met = null;
    this.relative = null;
    this.calledBefore = null;
    this.others = [];
    this.unknown = null;
    this.called.startSection();
  }

  /** Call for each sentence that names its subject, before `follow`. */
  name({ person, to }: Opening, sentence: Reading): void {
    if (!person || !this.isSpokenOf(person)) return;
    this.unknown = null;
    if (!hasPersonAsObject(sentence, to)) this.person = person;
  }

  /** Pass every sentence, after its subject was resolved. @param isUnknown whether it begins with an unresolved pronoun */
  follow(sentence: Reading, opening: Opening | null, isUnknown: boolean): void {
    this.met = null;
    const persons = personsAmong(sentence);
    this.called.learnFrom(sentence, persons, this.asked);
    this.goOn(sentence, opening, persons);
    // A pronoun does not refer to persons named in its own sentence.
    if (!opening?.person && !isUnknown) this.meet(persons);
    this.before = this.person;
    this.relative = relativeIn(sentence, opening);
    const lastName = this.person === null ? '' : lastWordOf(this.person);
    this.others = persons.filter((person) => lastWordOf(person) !== lastName);
    this.namedAsked = this.asked !== null && isNamedIn(sentence, lastWordOf(this.asked));
  }

  /** Updates the person that a sentence was about, even without a name: "Under him the team won". */
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

  /** A person mentioned in passing may be meant next, unless one is already the subject; with several it is unknown who. */
  private meet(persons: readonly Reading[]): void {
    if (this.asked) return;
    const known = this.person?.tokens.at(-1)?.word.text;
    const others = persons.filter(({ tokens }) => tokens.at(-1)?.word.text !== known);
    if (others.length === 0) return;
    this.met = others.length === 1 ? (others[0] ?? null) : null;
    if (this.person === null || this.called.genderOf(this.person) === undefined) this.person = this.met;
  }

  private isSpokenOf(person: Reading): boolean {
    return this.names.isNamedInFull(person) || ((this.asked !== null || this.person === null) && this.names.isName(person));
  }

  /**
   * The person meant by a pronoun. If the current person has the other gender by earlier pronouns or by the given name, another person mentioned in
   * passing may be meant: "Harry Belafonte became her mentor. She …". Null if there is none.
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

  /**
   * Whether the previous sentence was only about somebody else of this gender: "The keeper, Matteo Holm, was out. He". The person asked about may
   * still be meant.
   */
  private isPassedOver(gender: Gender): boolean {
    const { person } = this;
    if (this.near !== null || this.others.length === 0 || person === null) return false;
    if ((this.called.genderOf(person) ?? givenGender(person)) !== gender) return true;
    const isAsked = this.asked !== null && lastWordOf(person) === lastWordOf(this.asked);
    return !isAsked && this.others.some((other) => (givenGender(other) ?? gender) === gender);
  }

  /** Whether the previous sentence referred to the person asked about by this gender or, if the gender is unknown, named that person. */
  private speaksOfAsked(gender: Gender): boolean {
    const called = this.asked ? this.called.genderOf(this.asked) : null;
    return called === undefined ? this.namedAsked : this.calledBefore === gender && called === gender;
  }

  /**
   * Prefers another person who was referred to by this gender over one whose gender is unknown, unless the previous sentence was only about the
   * latter.
   */
  private certainOf(name: Reading, gender: Gender): Reading | null {
    const other = this.called.lastCalled(gender);
    if (!other || this.called.genderOf(name) === gender || this.met === name) return name;
    if (this.near !== name) return this.calledBefore === gender ? this.called.lastCalledHere(gender) : null;
    if (this.calledBefore !== gender || sharesWord(name, other) || !this.isUnclear(name, gender)) return name;
    return givenGender(name) === undefined ? null : this.called.lastCalledHere(gender);
  }

  /**
   * Whether another person is more likely meant: "Her daughter won a prize. She" may be either. In "Maria Mitchell taught Peter Hale, and he", the
   * given name counts because the sentence names somebody else.
   */
  private isRatherAnother(name: Reading, gender: Gender): boolean {
    if (this.relative === gender) return true;
    return this.others.length > 0 && this.called.genderOf(name) === undefined && (givenGender(name) ?? gender) !== gender;
  }

  /** Whether the given name agrees with the gender; not checked for the person asked about. */
  private fitsGivenName(name: Reading, gender: Gender): boolean {
    if (this.asked && lastWordOf(name) === lastWordOf(this.asked)) return true;
    return (this.called.genderOf(name) ?? givenGender(name) ?? gender) === gender;
  }

  /** Whether it is unclear who is meant next: "Ada wrote to Berry Lund, who was a friend of hers". */
  private isUnclear(name: Reading, gender: Gender): boolean {
    if (this.asked && sharesWord(name, this.asked)) return false;
    return this.called.genderOf(name) === undefined && givenGender(name) !== gender;
  }

  private isOneOfTwo(name: Reading, gender: Gender): boolean {
    return this.called.lastCalled(gender) !== null && this.called.genderOf(name) !== gender;
  }

  private mayBeCalled(name: Reading, gender: Gender): boolean {
    return !this.names.isThing(name) && (this.called.genderOf(name) ?? gender) === gender;
  }
}

const isNamedIn = ({ tokens }: Reading, lastName: string): boolean =>
  tokens.some(({ word, isCapitalised }) => isCapitalised && word.text === lastName);

/** Whether two names share a word; stems have no accents, so "Martinez" matches "Regina Martínez". */
const sharesWord = (one: Reading, other: Reading): boolean => !one.stems.isDisjointFrom(other.stems);
