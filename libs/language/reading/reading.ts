import type { Amount } from './amount';
import { amountsOf } from './amounts';
import { datesOf } from './dates';
import type { PartialDate } from './partial-date';
import { enumerationsIn, type Enumeration } from './enumerations';
import { COMMON_PREPOSITIONS } from './function-words';
import type { Effect } from './lexicon';
import { mayBeInName, namesOf, properWordsOf, type NameRun } from './names';
import { numbersOf } from './numbers';
import { contrastedIn, isAgainstDoing, isNegationAt, polarityOf, type Polarity } from './polarity';
import { textAt, type Token } from './token';
import type { Tense } from './verb-forms';
import { isFiniteVerbAt, tenseOf } from './verbs';

/** Words that may also be written as a sign beside a number. */
const SIGNS = new Set(['percent', 'dollar', 'dollars', 'euro', 'euros', 'usd', 'eur']);

const NO_TOKENS: readonly Token[] = [];
const NOTHING_LEFT_OUT = new Uint8Array();
const NO_EFFECTS: Readonly<Record<Effect, string>> = { filler: '', hedge: '', condition: '', former: '', attribution: '' };

/** Values computed so far. All fields exist from the start, because objects of a single shape are the fastest. */
class Known {
  wording: string | undefined = undefined;
  stems: ReadonlySet<string> | undefined = undefined;
  subject: ReadonlySet<string> | undefined = undefined;
  numbers: ReadonlySet<string> | undefined = undefined;
  properWords: ReadonlySet<string> | undefined = undefined;
  dates: readonly PartialDate[] | undefined = undefined;
  amounts: readonly Amount[] | undefined = undefined;
  names: readonly NameRun[] | undefined = undefined;
  polarity: Polarity | undefined = undefined;
  tense: Tense | undefined = undefined;
  words: readonly Token[] | undefined = undefined;
  meaningfulCount: number | undefined = undefined;
  subjectEnd: number | undefined = undefined;
  directions: readonly Token[] | undefined = undefined;
  terms: ReadonlySet<string> | undefined = undefined;
  effects: Readonly<Record<Effect, string>> | undefined = undefined;
  contrasted: ReadonlySet<number> | null | undefined = undefined;
  leftOut: Uint8Array | undefined = undefined;
  hasNegation: boolean | undefined = undefined;
  enumerations: readonly Enumeration[] | undefined = undefined;
}

/**
 * A sentence or a part of one, read once: its words are found in one pass, and everything derived from them is computed on first use. English; in
 * other languages only words and numbers are recognised. Offsets are those of `text`.
 */
export class Reading {
  private readonly known = new Known();
  /** Caches for other modules, because a reading is compared with many others; `WeakMap`s there would cost several times as much. */
  happensOnce: boolean | undefined = undefined;
  waysToBeSaidOtherwise: number | undefined = undefined;
  saysSomething: boolean | undefined = undefined;
  plainWording: string | undefined = undefined;

  /** `inserted` is the number of words at the beginning that were added as a subject. */
  constructor(
    readonly text: string,
    readonly tokens: readonly Token[],
    readonly inserted = 0,
  ) {}

  /** The words in one string, which is equal for equally worded sentences. */
  get wording(): string {
    return (this.known.wording ??= this.tokens.map(({ word }) => word.text).join(' '));
  }

  /** Stems of the meaningful words, followed by every number and identifier. */
  get stems(): ReadonlySet<string> {
    return this.known.stems ?? this.readStems().stems;
  }

  /** The stems that name the topic: without numbers, negations and words of direction. */
  get subject(): ReadonlySet<string> {
    return this.known.subject ?? this.readStems().subject;
  }

  /** Every number, year and identifier: versions, names of models. */
  get numbers(): ReadonlySet<string> {
    return (this.known.numbers ??= numbersOf(this.tokens));
  }

  /** Capitalised words inside the sentence, lower-cased. */
  get properWords(): ReadonlySet<string> {
    return (this.known.properWords ??= properWordsOf(this.tokens));
  }

  get dates(): readonly PartialDate[] {
    return (this.known.dates ??= datesOf(this.tokens));
  }

  get amounts(): readonly Amount[] {
    return (this.known.amounts ??= amountsOf(this.tokens, this.dates));
  }

  get names(): readonly NameRun[] {
    return (this.known.names ??= namesOf(this.tokens, this.leftOut));
  }

  get polarity(): Polarity {
    return (this.known.polarity ??= polarityOf(this.tokens, this.leftOut));
  }

  /** Whether any word negates, even without effect. */
  get hasNegation(): boolean {
    return (this.known.hasNegation ??= this.tokens.some(
      ({ word }, at) => word.isNegation || word.isNegated || word.isNegationBeforeTo || isAgainstDoing(this.tokens, at),
    ));
  }

  get enumerations(): readonly Enumeration[] {
    return (this.known.enumerations ??= enumerationsIn(this, 0, this.tokens.length));
  }

  get tense(): Tense {
    return (this.known.tense ??= tenseOf(this.words));
  }

  /** The words that are not part of a date, an amount or a contrast. */
  get words(): readonly Token[] {
    return (this.known.words ??= this.tokens.filter((_, at) => this.leftOut[at] !== 1));
  }

  /** How many words are not stop words. */
  get meaningfulCount(): number {
    return (this.known.meaningfulCount ??= this.countMeaningful());
  }

  /** Index of the first verb after the first word. If none is surely a verb, the subject is assumed to have two words, or three around a preposition. */
  get subjectEnd(): number {
    return (this.known.subjectEnd ??= this.findSubjectEnd());
  }

  /** The words of direction that are not negated. */
  get directions(): readonly Token[] {
    return (this.known.directions ??= this.readDirections());
  }

  /** Stems of the words that tell what the statement is about: without negations, directions and words with an effect. */
  get terms(): ReadonlySet<string> {
    return (this.known.terms ??= this.readTerms());
  }

  /** The words of each effect, sorted. */
  get effects(): Readonly<Record<Effect, string>> {
    return (this.known.effects ??= this.readEffects());
  }

  /** Whether the clause has only a participle: "scoring eight goals" holds only for the time of its main clause. */
  get isDependent(): boolean {
    const first = this.inserted > 0 ? this.tokens[this.inserted] : undefined;
    return first !== undefined && first.word.verb.endsInIng && !first.isCapitalised;
  }

  /** Indexes of contrasted words; null if there are none. */
  get contrasted(): ReadonlySet<number> | null {
    return this.known.contrasted === undefined ? (this.known.contrasted = contrastedIn(this.tokens)) : this.known.contrasted;
  }

  /** Marks words of dates, amounts and contrasts. */
  private get leftOut(): Uint8Array {
    return (this.known.leftOut ??= this.readLeftOut());
  }

  private readLeftOut(): Uint8Array {
    const { contrasted, dates, amounts } = this;
    if (!contrasted && dates.length === 0 && amounts.length === 0) return NOTHING_LEFT_OUT;
    const marks = new Uint8Array(this.tokens.length);
    for (const { from, to } of dates) marks.fill(1, from, to);
    for (const { from, to } of amounts) marks.fill(1, from, to);
    for (const at of contrasted ?? []) marks[at] = 1;
    return marks;
  }

  private countMeaningful(): number {
    let count = 0;
    for (const { word } of this.tokens) if (!word.isStopWord) count += 1;
    return count;
  }

  private findSubjectEnd(): number {
    const verb = this.tokens.findIndex((_, at) => at > 0 && isFiniteVerbAt(this.tokens, at));
    if (verb >= 0) return verb;
    return COMMON_PREPOSITIONS.has(textAt(this.tokens, 1)) ? 3 : 2;
  }

  private readDirections(): readonly Token[] {
    if (!this.tokens.some(({ word }) => word.isDirection)) return NO_TOKENS;
    return this.tokens.filter((token, at) => token.word.isDirection && this.isDirectionAt(at));
  }

  private isDirectionAt(at: number): boolean {
    return this.leftOut[at] !== 1 && this.tokens[at - 1]?.word.text !== 'no' && !isNegationAt(this.tokens, at);
  }

  /** Both in one pass, because they usually only differ in the numbers. */
  private readStems(): { stems: ReadonlySet<string>; subject: ReadonlySet<string> } {
    const { tokens, numbers } = this;
    const subject = new Set<string>();
    let stems: Set<string> | undefined;
    for (let at = 0; at < tokens.length; at += 1) {
      const word = tokens[at]?.word;
      if (!word || word.isStopWord || word.isAmount || SIGNS.has(word.text)) continue;
      const isOfSubject = !word.isDirection && (word.isNegated || !isNegationAt(tokens, at));
      if (!isOfSubject) stems ??= new Set(subject);
      if (isOfSubject) subject.add(word.stem);
      stems?.add(word.stem);
    }
    if (numbers.size > 0) stems ??= new Set(subject);
    for (const number of numbers) stems?.add(number);
    this.known.subject = subject;
    this.known.stems = stems ?? subject;
    return { stems: stems ?? subject, subject };
  }

  private readTerms(): ReadonlySet<string> {
    const terms = new Set<string>();
    for (let at = 0; at < this.tokens.length; at += 1) {
      const word = this.tokens[at]?.word;
      if (!word || word.isStopWord || word.isDirection || word.effect !== null || word.isLight || this.leftOut[at] === 1) continue;
      if (word.isNegated || !isNegationAt(this.tokens, at)) terms.add(word.stem);
    }
    return terms;
  }

  private readEffects(): Readonly<Record<Effect, string>> {
    const withEffect = this.tokens.filter(
      (token, at) => token.word.effect !== null && !(at > 0 && mayBeInName(token, at)) && this.leftOut[at] !== 1,
    );
    if (withEffect.length === 0) return NO_EFFECTS;
    const effects = { ...NO_EFFECTS };
    for (const [effect, tokens] of Map.groupBy(withEffect, ({ word }) => word.effect ?? 'filler'))
      effects[effect] = tokens
        .map(({ word }) => word.text)
        .sort()
        .join(' ');
    return effects;
  }
}
