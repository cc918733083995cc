import { genderOfGivenName, type Gender } from '@lib/language/known-words';
import { COLON, COMMA, SEMICOLON, SPACE } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import type { Opening } from './opening';

const GENDERS: ReadonlyMap<string, Gender> = new Map([
  ...['he', 'his', 'him', 'himself'].map((word) => [word, 'he'] as const),
  ...['she', 'her', 'hers', 'herself'].map((word) => [word, 'she'] as const),
]);
const SUBJECTS = new Set(['he', 'she', 'himself', 'herself']);
const TITLES: ReadonlyMap<string, Gender> = new Map(Object.entries({ mr: 'he', sir: 'he', ms: 'she', mrs: 'she', miss: 'she' } as const));

export const genderOf = (pronoun: string): Gender => GENDERS.get(pronoun) ?? 'she';

/** Who was "he" and who "she" in a report, by the last word of the name. English. */
export class PersonsCalled {
  private readonly genders = new Map<string, Gender>();
  private readonly last = new Map<Gender, Reading>();
  /** Who was called in this section. */
  private readonly here = new Set<Gender>();

  call(name: Reading, gender: Gender): void {
    this.genders.set(lastWordOf(name), gender);
    this.last.set(gender, name);
    this.here.add(gender);
  }

  startSection(): void {
    this.here.clear();
  }

  /** Whoever was called so last, if that was in this section. */
  lastCalledHere(gender: Gender): Reading | null {
    return this.here.has(gender) ? this.lastCalled(gender) : null;
  }

  genderOf(name: Reading): Gender | undefined {
    return this.genders.get(lastWordOf(name));
  }

  /** Whoever was called so last. */
  lastCalled(gender: Gender): Reading | null {
    return this.last.get(gender) ?? null;
  }

  /**
   * A title tells the gender, and a pronoun after the only person whom a sentence names: "Ada Wong had worked there when she was dismissed".
   * @param persons those whom it names
   * @param asked whom no given name judges
   */
  learnFrom(sentence: Reading, persons: readonly Reading[], asked: Reading | null): void {
    for (const person of persons) {
      const title = TITLES.get(person.tokens[0]?.word.text ?? '');
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

/** What a given name mostly tells of who bears it, also behind a title. */
export function givenGender({ tokens }: Reading): Gender | undefined {
  for (const { word } of tokens.slice(0, -1)) {
    const gender = genderOfGivenName(word.text);
    if (gender) return gender;
  }
  return undefined;
}

export const lastWordOf = ({ tokens }: Reading): string => tokens.at(-1)?.word.text ?? '';

/** What a sentence calls somebody whom it does not name; null if nobody, or not surely one. */
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

/** "Under him the team won" goes on with whom the sentence before spoke of, rather than "The team thanked him". */
export const beginsWithPronoun = ({ tokens }: Reading): boolean =>
  tokens.slice(0, MAX_START_WORDS).some(({ word }) => GENDERS.has(word.text));

const MAX_START_WORDS = 3;

/** "The coach trained her until 1984": whoever is the object of what the subject does is another, and is spoken of. */
export function hasPersonAsObject({ tokens }: Reading, from: number): boolean {
  for (let at = from; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || (token.before & (COMMA | SEMICOLON | COLON)) !== 0) return false;
    if (token.word.text === 'him') return true;
    if (token.word.text === 'her') return isObject(tokens[at + 1]);
  }
  return false;
}

/** "Her the prize", "her until", "her.": no noun follows that is hers. */
const isObject = (next: Token | undefined): boolean =>
  next === undefined || (next.before & ~SPACE) !== 0 || (next.word.isStopWord && !next.isCapitalised && next.word.text !== 'own');

const KIN: ReadonlyMap<string, Gender> = new Map([
  ...'father brother son husband uncle nephew grandfather grandson widower'.split(' ').map((word) => [word, 'he'] as const),
  ...'mother sister daughter wife aunt niece grandmother granddaughter widow'.split(' ').map((word) => [word, 'she'] as const),
]);

/** What the relative is called whom a sentence speaks of: "Her daughter Vera Lund won", "Ada's daughter won". Null where it speaks of none. */
export function relativeIn({ tokens, subjectEnd }: Reading, opening: Opening | null): Gender | null {
  if (!opening) return null;
  for (const { word, isCapitalised } of tokens.slice(opening.from, Math.max(subjectEnd, opening.to))) {
    const gender = KIN.get(word.text);
    if (gender && !isCapitalised) return gender;
  }
  return null;
}
