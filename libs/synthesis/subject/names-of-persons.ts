import type { Reading } from '@lib/language/reading/reading';
import { wordsAfterNames, wordsInside } from './person-name';
import { givenGender, lastWordOf, type PersonsCalled } from './persons-called';

/** Which names in a report are persons'. English. */
export class NamesOfPersons {
  private isAboutPerson: boolean | undefined;
  /** Words of the report, computed on first use. */
  private afterNames: ReadonlySet<string> | undefined;
  private inside: ReadonlySet<string> | undefined;
  /** Last words of names referred to as "it". */
  private readonly things = new Set<string>();

  /** @param asked the person that the question asks about; null if it names none. Pass the whole report. */
  constructor(
    private readonly asked: Reading | null,
    private readonly report: string,
    private readonly called: PersonsCalled,
  ) {}

  /** Records that a name was referred to as "it", so it is no person. */
  callThing(name: Reading): void {
    this.things.add(lastWordOf(name));
  }

  isThing(name: Reading): boolean {
    return this.things.has(lastWordOf(name));
  }

  /** Whether a name is certainly a person's: a single word only if the report also has it after a first name. */
  isNamedInFull({ tokens, text }: Reading): boolean {
    if (tokens.length > 1) return true;
    return (this.afterNames ??= wordsAfterNames(this.report)).has(text);
  }

  /** Whether a single word at the beginning of a sentence is a name: only if it also occurs inside a sentence. */
  isName({ text }: Reading): boolean {
    return (this.inside ??= wordsInside(this.report)).has(text);
  }

  isSurelyPerson(name: Reading, asksWho: boolean): boolean {
    if (givenGender(name) !== undefined || this.called.genderOf(name) !== undefined) return true;
    return asksWho && this.asked !== null && lastWordOf(name) === lastWordOf(this.asked);
  }

  /** Whether a name is a person's rather than that of a company or product. */
  isPerson(name: Reading): boolean {
    if (givenGender(name) !== undefined) return true;
    if (!this.speaksOfPerson()) return false;
    return this.asked !== null || this.called.genderOf(name) !== undefined || this.isNamedInFull(name);
  }

  private speaksOfPerson(): boolean {
    return (this.isAboutPerson ??= /\b(?:he|she|his|her)\b/i.test(this.report));
  }
}
