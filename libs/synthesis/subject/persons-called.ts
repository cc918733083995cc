import { genderOfGivenName, type Gender } from '@lib/language/known-words';
import { COLON, COMMA, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import { FEMALE_KIN, MALE_KIN } from '@lib/language/reading/kin';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import type { Opening } from './opening';

const GENDERS: ReadonlyMap<string, Gender> = new Map([
  ...['he', 'his', 'him', 'himself'].map((word) => [word, 'he'] as const),
  ...['she', 'her', 'hers', 'herself'].map((word) => [word, 'she'] as const),
]);
const SUBJECTS = new Set(['he', 'she', 'himself', 'herself']);
const TITLES: ReadonlyMap<string, Gender> = new Map(Object.entries({ mr: 'he', sir: 'he', ms: 'she', mrs: 'she', miss: 'she' } as const));

export const genderOf = (pronoun: string): Gender => GENDERS.get(pronoun) ?? 'she';

/** The gender of pronouns used for each person in a report, by the last word of the name. English. */
export class PersonsCalled {
  private readonly genders = new Map<string, Gender>();
  private readonly last = new Map<Gender, Reading>();
  /** The genders used in this section. */
  private readonly here = new Set<Gender>();

  call(name: Reading, gender: Gender): void {
    this.genders.set(lastWordOf(name), gender);
    this.last.set(gender, name);
    this.here.add(gender);
  }

  startSection(): void {
    this.here.clear();
  }

  /** The person last referred to by this gender, if that was in this section. */
  lastCalledHere(gender: Gender): Reading | null {
    return this.here.has(gender) ? this.lastCalled(gender) : null;
  }

  genderOf(name: Reading): Gender | undefined {
    return this.genders.get(lastWordOf(name));
  }

  /** The person last referred to by this gender. */
  lastCalled(gender: Gender): Reading | null {
    return this.last.get(gender) ?? null;
  }

  /**
   * Learns the gender from a title, or from a pronoun after the only person named: "Ada Wong had worked there when she was dismissed".
   * @param persons the persons named in the sentence
   * @param asked the person asked about, who is not judged by the given name
   */
  learnFrom(sentence: Reading, persons: readonly Reading[], asked: Reading | null): void {
    for (const person of persons) {
      const title = TITLES.get(textAt(person.tokens, 0));
      if (title && !this.genders.has(lastWordOf(person))) this.call(person, title);
    }
    const [person] = persons;
    if (persons.length !== 1 || !person || this.genders.has(lastWordOf(person))) return;
    const calling = sentence.tokens.filter(({ word }) => SUBJECTS.has(word.text));
    const genders = new Set(calling.map(({ word }) => genderOf(word.text)));
    const [gender] = genders;
    const start = sentence.text.indexOf(person.text);
    const isOther = gender !== (givenGender(person) ?? gender) && !(asked && lastWordOf(asked) === lastWordOf(person));
    if (gender && genders.size === 1 && !isOther && (calling[0]?.start ?? 0) > start) this.call(person, gender);
  }
}

/** The gender that a given name usually indicates, also after a title. */
export function givenGender({ tokens }: Reading): Gender | undefined {
  for (const { word } of tokens.slice(0, -1)) {
    const gender = genderOfGivenName(word.text);
    if (gender) return gender;
  }
  return undefined;
}

export const lastWordOf = ({ tokens }: Reading): string => tokens.at(-1)?.word.text ?? '';

/** The gender of the pronouns in a sentence; null if there are none, or both. */
export function genderCalledIn({ tokens }: Reading): Gender | null {
  let called: Gender | null = null;
  for (const { word } of tokens) {
    const gender = GENDERS.get(word.text);
    if (gender === undefined || gender === called) continue;
    if (called !== null) return null;
    called = gender;
  }
  return called;
}

/** Whether a sentence begins with a pronoun and so likely continues the previous subject: "Under him the team won", unlike "The team thanked him". */
export const beginsWithPronoun = ({ tokens }: Reading): boolean =>
  tokens.slice(0, MAX_START_WORDS).some(({ word }) => GENDERS.has(word.text));

const MAX_START_WORDS = 3;

/** Whether the object is a personal pronoun, which refers to somebody other than the subject: "The coach trained her until 1984". */
export function hasPersonAsObject({ tokens }: Reading, from: number): boolean {
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || (token.before & (COMMA | SEMICOLON | COLON)) !== 0) return false;
    if (token.word.text === 'him') return true;
    if (token.word.text === 'her') return isObject(tokens[at + 1]);
  }
  return false;
}

/** Whether "her" is an object and no noun follows that it owns: "Her the prize", "her until", "her." */
const isObject = (next: Token | undefined): boolean =>
  next === undefined || (next.before & ~SPACE) !== 0 || (next.word.isStopWord && !next.isCapitalised && next.word.text !== 'own');

const GENDERS_OF_KIN: ReadonlyMap<string, Gender> = new Map([
  ...[...MALE_KIN].map((word) => [word, 'he'] as const),
  ...[...FEMALE_KIN].map((word) => [word, 'she'] as const),
]);

/** The gender of a relative who is the subject: "Her daughter Vera Lund won", "Ada's daughter won". Null if there is none. */
export function relativeIn({ tokens, subjectEnd }: Reading, opening: Opening | null): Gender | null {
  if (!opening) return null;
  for (const { word, isCapitalised } of tokens.slice(opening.from, Math.max(subjectEnd, opening.to))) {
    const gender = GENDERS_OF_KIN.get(word.text);
    if (gender && !isCapitalised) return gender;
  }
  return null;
}
