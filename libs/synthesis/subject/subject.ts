import { partOf, readingOf, replacing } from '@lib/language/reading/parts';
import type { Reading } from '@lib/language/reading/reading';
import { fitsNumber, isLikelyTopic } from './antecedent';
import { isExpletive } from './expletive';
import { NamesInFull } from './names-in-full';
import { PARTICLES, verbAfter, type Opening } from './opening';
import { personIn, personsAmong, wordsAfterNames, wordsInside } from './person-name';
import { beginsWithPronoun, genderCalledIn, genderOf, hasPersonAsObject, lastWordOf, PersonsCalled, type Gender } from './persons-called';
import { atBeginning, insideSentence, possessive } from './put-in';
import { sayableOf } from './sayable';
import { NO_REFERENCE, type Reference } from './reference';
import type { SentenceRead } from './sentences-read';

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
 * sentence before, where it fits in number and nothing else is as likely. "The Act" is what the report names with that word, where it names one
 * such thing alone. English only.
 */
export class Subjects {
  /** Of the last sentence: what it leaves open can be nothing but what the question asks about. */
  isOnTopic = false;
  /** Of the last sentence: it speaks of "the country" after others were named than the one that was said to be a country. */
  mayBeOther = false;
  private readonly asked: Reading | null;
  private person: Reading | null;
  /** The only one whom the last sentence that names others named by the way. */
  private met: Reading | null = null;
  private last: Opening | null = null;
  /** The sentence of it. */
  private lastSentence: Reading | null = null;
  /** Whom the sentence before spoke of. */
  private near: Reading | null = null;
  private calledBefore: Gender | null = null;
  private isAboutPerson: boolean | undefined;
  /** Of the report, found when first asked for. */
  private afterNames: ReadonlySet<string> | undefined;
  private inside: ReadonlySet<string> | undefined;
  private readonly called = new PersonsCalled();
  private readonly inFull: NamesInFull;
  /** Last words of names that were "it". */
  private readonly things = new Set<string>();

  /** Give the whole report. */
  constructor(
    private readonly question: string,
    private readonly report: string,
  ) {
    this.inFull = new NamesInFull(report, question);
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
    this.inFull.startBlock();
  }

  /** Null for a sentence whose pronoun stands for something unknown. Give the sentences in order, without markup. */
  refer({ reading: sentence, opening }: SentenceRead): Reference | null {
    const { person } = this;
    this.isOnTopic = this.inFull.isOnTopic;
    this.mayBeOther = opening?.named ? this.inFull.mayBeOther(opening.named) : false;
    const reference = this.referenceOf(sentence, opening);
    this.met = null;
    this.called.learnFrom(sentence);
    this.follow(sentence, opening, person);
    this.inFull.follow(sentence, opening);
    // Whoever "he" is in a sentence is none of those whom it names.
    const isUnknown = opening?.kind === 'person' && reference === null;
    if (!opening?.person && !isUnknown) this.meet(sentence);
    return reference;
  }

  /** Whom a sentence spoke of, also where it names nobody: "Under him the team won". */
  private follow(sentence: Reading, opening: Opening | null, personBefore: Reading | null): void {
    const gender = genderCalledIn(sentence);
    const opened = opening?.person ?? null;
    const isOthers = opening !== null && opened !== null && hasPersonAsObject(sentence, opening.to);
    if (isOthers) this.met = opened;
    const called = isOthers ? this.person : this.near;
    const isNamed = opened !== null || opening?.kind === 'person' || this.person !== personBefore;
    const namesNobody = !isNamed && personsAmong(sentence).length === 0;
    const mayGoOn = gender !== null && called !== null && called === this.person && this.mayBeCalled(called, gender);
    const isUnclear = mayGoOn && namesNobody && this.isOneOfTwo(called, gender) && !beginsWithPronoun(sentence);
    const goesOn = mayGoOn && !isUnclear;
    if (goesOn && (isOthers || namesNobody)) this.called.call(called, gender);
    this.near = isNamed || goesOn ? this.person : null;
    this.calledBefore = isUnclear ? null : gender;
  }

  private referenceOf(sentence: Reading, opening: Opening | null): Reference | null {
    if (!opening) {
      this.last = null;
      return NO_REFERENCE;
    }
    const { from, to, start, end, kind, named, person, isPossessive } = opening;
    if (named) {
      const full = kind === 'thing' ? this.inFull.nameFor(named) : null;
      this.inFull.learnFrom(named);
      this.last = full ? { ...opening, named: full } : opening;
      this.lastSentence = sentence;
      if (full) return { subject: full, insert: start > 0 ? insideSentence(full) : atBeginning(full), at: from, to, start, end };
      if (person && this.isSpokenOf(person) && !hasPersonAsObject(sentence, to)) this.person = person;
      return { subject: named, insert: null, at: from, to, start, end };
    }
    if (isExpletive(sentence.tokens, from)) return NO_REFERENCE;
    const word = sentence.tokens[from]?.word.text ?? '';
    const known = kind === 'person' ? this.personFor(genderOf(word)) : this.antecedentOf(word, sentence, from);
    if (kind === 'person' || isPossessive) this.last = null;
    if (known === null) return null;
    const insert = start > 0 ? insideSentence(known) : atBeginning(known);
    if (!isPossessive) return { subject: known, insert, at: from, to, start, end };
    const owner = possessive(insert);
    const verb = verbAfter(sentence.tokens, from + 1, Infinity);
    const subject = verb < 0 ? null : replacing(partOf(sentence, from, verb), 0, owner);
    return { subject, insert: owner, at: from, to, start, end };
  }

  /** Another person whom a sentence names by the way may be meant next, unless one is spoken of already; of several it is not known who. */
  private meet(sentence: Reading): void {
    if (this.asked) return;
    const known = this.person?.tokens.at(-1)?.word.text;
    const others = personsAmong(sentence).filter(({ tokens }) => tokens.at(-1)?.word.text !== known);
    if (others.length === 0) return;
    this.met = others.length === 1 ? (others[0] ?? null) : null;
    if (this.person === null || this.called.genderOf(this.person) === undefined) this.person = this.met;
  }

  private isSpokenOf(person: Reading): boolean {
    return this.asked !== null || this.isNamedInFull(person) || (this.person === null && this.isName(person));
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
  private personFor(gender: Gender): Reading | null {
    const found = [this.person, this.met].find((name) => name !== null && this.mayBeCalled(name, gender)) ?? null;
    const known = found && this.certainOf(found, gender);
    if (known) {
      this.person = known;
      this.called.call(known, gender);
    }
    return known;
  }

  /** Another who was "she" before is meant rather than one of whom it is not known, unless the sentence before spoke of the latter. */
  private certainOf(name: Reading, gender: Gender): Reading | null {
    const other = this.called.lastCalled(gender);
    if (!other || this.called.genderOf(name) === gender || this.near === name || this.met === name) return name;
    return this.calledBefore === gender ? other : null;
  }

  private isOneOfTwo(name: Reading, gender: Gender): boolean {
    return this.called.lastCalled(gender) !== null && this.called.genderOf(name) !== gender;
  }

  private mayBeCalled(name: Reading, gender: Gender): boolean {
    return !this.things.has(lastWordOf(name)) && (this.called.genderOf(name) ?? gender) === gender;
  }

  private antecedentOf(pronoun: string, { tokens }: Reading, at: number): Reading | null {
    const { last, lastSentence } = this;
    if (!last?.named || !lastSentence || (last.person && this.isPerson(last.person))) return null;
    const isPlural = pronoun === 'they' || pronoun === 'their';
    if (!isLikelyTopic(last) || !fitsNumber(this.isCommon(last) ? { ...last, kind: 'thing' } : last, isPlural)) return null;
    const isPossessive = pronoun === 'its' || pronoun === 'their';
    const { named, verb, hasIndefiniteObject } = last;
    const said = isPossessive
      ? ''
      : tokens
          .slice(at + 1)
          .map(({ word }) => word.text)
          .join(' ');
    const known = sayableOf({ sentence: lastSentence, named, verb, hasIndefiniteObject }, said);
    // What is meant is unknown then, and so is what goes on with it.
    if (known === null) this.last = null;
    else if (last.person) this.things.add(lastWordOf(named));
    return known;
  }

  /** "Violations", which is no name but for its place in the sentence. */
  private isCommon({ kind, named }: Opening): boolean {
    return kind === 'name' && named?.tokens.length === 1 && !this.isName(named) && !this.question.includes(named.text);
  }

  /** Rather than a company or a product, in a report that speaks of somebody. */
  private isPerson(name: Reading): boolean {
    if (!this.speaksOfPerson()) return false;
    return this.asked !== null || this.called.genderOf(name) !== undefined || this.isNamedInFull(name);
  }

  private speaksOfPerson(): boolean {
    return (this.isAboutPerson ??= /\b(?:he|she|his|her)\b/i.test(this.report));
  }
}
