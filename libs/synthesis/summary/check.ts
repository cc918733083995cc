import { splitSentences } from '@lib/language/sentences';
import type { ClaimSheet, SheetClaim } from './claim-sheet';
import { coverage, foreignNames, foreignNumbers, groundOf, together, type Ground } from './grounding';
import { readAnswer, type GivenSentence } from './read-answer';
import { claimPartsOf, tellsBothSides, ungroundedIn, type ClaimParts } from './grounded-statements';
import type { Unsaid } from '../difference/restatement';

/** A sentence that passed the check and may be shown in a report. */
export interface SummarySentence {
  text: string;
  /** The claims it rests on, at least one. */
  claims: SheetClaim[];
}

/** A broken rule: `told` quotes the offending text, for the model; `shown` uses only our own words, for a reader. */
export interface Problem {
  told: string;
  shown: string;
}

/** The sentences of a text that pass the rules, by paragraph, and the problems with the others. */
export interface CheckedSummary {
  paragraphs: SummarySentence[][];
  /** How many sentences were refused. */
  refused: number;
  problems: Problem[];
}

interface Fault {
  rule: string;
  /** The offending text, if it is not the whole sentence. */
  value?: string;
}

/** If less than this share of a sentence occurs in its claims and the question, it says something of its own. */
const MIN_COVERAGE = 0.25;
/** Patterns for addresses, citation marks, and characters needed only for markup or to break out of the sentence. */
const NO_PLAIN_TEXT: readonly [RegExp, string][] = [
  [/:\/\/|\bwww\.|\S@\S|\bdoi:/i, 'holds an address'],
  [/\[\s*\^?\s*\p{N}|\]\s*\(|[【】†‡]/u, 'holds the mark of a source or a link'],
  [/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]|^\s*(?:#|>|\||[-*+]\s|={3}|-{3})|<\/?[a-z!]|```/iu, 'is not plain text in one line'],
];
const UNGROUNDED: Readonly<Record<Unsaid['kind'], string>> = {
  number: 'holds a number that is in none of its claims, or not there',
  name: 'holds a name that is in none of its claims, or not there',
  denial: 'denies what none of its claims denies, or affirms what one denies',
  verb: 'says by a verb what none of its claims says',
  word: 'holds a word that is in none of its claims',
  role: 'says of one what its claims say of another',
  limit: 'says more, or less, than its claims limit',
  time: 'speaks of another time than its claims',
};
/** How many characters of a model's text are shown to it in a message. */
const MAX_EXCERPT_LENGTH = 80;

/** Checks a model's answer against the claims, sentence by sentence. Pure. Sentences that pass can be shown with our citation marks. */
export function checkSummary(answer: string, question: string, sheet: ClaimSheet): CheckedSummary {
  const sections = readAnswer(answer);
  if (typeof sections === 'string') return { paragraphs: [], refused: 0, problems: [{ told: sections, shown: sections }] };
  const check = new Check(groundOf(question), sheet);
  const paragraphs = sections.map((sentences) => sentences.flatMap((sentence) => check.read(sentence) ?? []));
  return { paragraphs: paragraphs.filter(({ length }) => length > 0), refused: check.refused, problems: check.problems };
}

class Check {
  readonly problems: Problem[] = [];
  refused = 0;
  private readonly grounds: ReadonlyMap<string, Ground>;
  private readonly parts = new Map<string, ClaimParts>();
  private count = 0;

  constructor(
    private readonly question: Ground,
    private readonly sheet: ClaimSheet,
  ) {
    this.grounds = new Map([...sheet.values()].map(({ id, text }) => [id, groundOf(text)]));
  }

  /** Null for a sentence that breaks a rule. */
  read({ text, claims: ids }: GivenSentence): SummarySentence | null {
    this.count += 1;
    const claims = ids.flatMap((id) => this.sheet.get(id) ?? []);
    const unknown = ids.filter((id) => !this.sheet.has(id));
    const faults: Fault[] = [
      ...NO_PLAIN_TEXT.flatMap(([pattern, rule]) => (pattern.test(text) ? [{ rule }] : [])),
      ...(splitSentences(text).length > 1 ? [{ rule: 'is more than one sentence: each needs an entry of its own' }] : []),
      ...unknown.map((id) => ({ rule: 'names a claim that there is not', value: id })),
      ...(ids.length === 0 ? [{ rule: 'names no claim' }] : []),
      ...(claims.length > 0 ? [...this.groundFaults(text, claims), ...this.disputeFaults(text, claims)] : []),
    ];
    if (faults.length === 0 && claims.length > 0) faults.push(...this.ungroundedFaults(text, claims));
    this.problems.push(...faults.map((fault) => problemOf(this.count, text, fault)));
    if (faults.length === 0) return { text, claims };
    this.refused += 1;
    return null;
  }

  /** Checks that names, numbers, polarity, roles and verbs are those of the claims, and that a dispute is told as one. */
  private ungroundedFaults(text: string, claims: readonly SheetClaim[]): Fault[] {
    const disputed = claims.filter(({ disputedBy }) => claims.some(({ id }) => disputedBy.includes(id)));
    const sides = disputed.map((claim) => this.partsOf(claim));
    if (sides.length > 0 && tellsBothSides(text, sides, this.question)) return [];
    const parts = claims.map((claim) => this.partsOf(claim));
    const ungrounded = ungroundedIn(text, parts, this.question);
    if (ungrounded) return [{ rule: UNGROUNDED[ungrounded.kind], value: ungrounded.word }];
    // What one side says is grounded in it, but the other side is not told.
    return sides.length > 0 ? [{ rule: 'does not say that its claims contradict each other' }] : [];
  }

  private partsOf({ id, text }: SheetClaim): ClaimParts {
    const found = this.parts.get(id) ?? claimPartsOf(text);
    this.parts.set(id, found);
    return found;
  }

  private groundFaults(text: string, claims: readonly SheetClaim[]): Fault[] {
    const said = groundOf(text);
    const ground = together([this.question, ...claims.map((claim) => this.groundOf(claim))]);
    const unrelated = claims.filter((claim) => coverage(said, this.groundOf(claim)) === 0);
    return [
      ...foreignNumbers(said, ground).map((value) => ({ rule: 'holds a number that is in none of its claims', value })),
      ...foreignNames(text, ground).map((value) => ({ rule: 'holds a name that is in none of its claims', value })),
      ...unrelated.map(({ id }) => ({ rule: 'has nothing to do with one of its claims', value: id })),
      ...(coverage(said, ground) < MIN_COVERAGE ? [{ rule: 'says what is in none of its claims' }] : []),
    ];
  }

  /** A sentence must give both sides of a dispute or neither; if the sides differ in numbers, the numbers of both or none. */
  private disputeFaults(text: string, claims: readonly SheetClaim[]): Fault[] {
    const said = groundOf(text).numbers;
    return claims
      .filter(({ disputedBy }) => disputedBy.length > 0)
      .flatMap((claim): Fault[] => {
        const others = claims.filter(({ id }) => claim.disputedBy.includes(id));
        if (others.length === 0)
          return [{ rule: 'gives one side of a dispute', value: `${claim.id} without ${claim.disputedBy.join(' or ')}` }];
        const numbers = this.groundOf(claim).numbers;
        const theirs = together(others.map((other) => this.groundOf(other))).numbers;
        const namesOwn = !said.isDisjointFrom(numbers.difference(theirs));
        const opposing = theirs.difference(numbers);
        const isOneSided = namesOwn && opposing.size > 0 && said.isDisjointFrom(opposing);
        return isOneSided ? [{ rule: 'gives the number of one side of a dispute alone', value: claim.id }] : [];
      });
  }

  private groundOf({ id, text }: SheetClaim): Ground {
    return this.grounds.get(id) ?? groundOf(text);
  }
}

function problemOf(place: number, text: string, { rule, value }: Fault): Problem {
  const shown = `Sentence ${place} ${rule}`;
  const what = value === undefined ? text : value;
  return { shown, told: `${shown}: ${JSON.stringify(Array.from(what).slice(0, MAX_EXCERPT_LENGTH).join(''))}` };
}
