import { words } from '@lib/language/tokens';

import { weightOf, weightOfAll, type Concept } from './concept';
import type { Wanted } from './facets';
import { isWithin } from './folders';
import type { Passage } from './passages';
import type { RetrievedFacet } from './retrieve';
import { termsOf } from './terms';
import { unitsOf, type Unit } from './units';

/** A unit with how well it answers. */
export interface ScoredUnit {
  passage: Passage;
  unit: Unit;
  terms: ReadonlySet<string>;
  /** For choosing among units. */
  score: number;
  /** Share of the question that the unit and what stands around it cover, from 0 to 1. */
  covers: number;
  /** Words of the question that nothing around it covers. */
  lacks: readonly Concept[];
}

/** What a word of the question is worth by where it stands: in the unit, in what it hangs on, in headings, in the name of the document, beside it. */
const LEVELS = { own: 1, above: 0.8, heading: 0.8, upper: 0.6, document: 0.6, beside: 0.25 };
/** Whether a document answers is told by all of it: what stands near an answer, or elsewhere in its document, counts for more than in the choice of a unit. */
const NEAR = { beside: 0.4, elsewhere: 0.3 };
/** Share of a word for another that means about the same. */
const CLOSE_SHARE = 0.7;
/** Share of an identifier for its parts. */
const PARTS_SHARE = 0.5;
const EXTRA_WEIGHT = 0.15;
/** How much each lower rank reduces a score. */
const RANK_COST = 0.02;
/** Factor for documents outside of the folders that the question names. */
const OUTSIDE = { surely: 0.5, perhaps: 0.6 };

interface Texts {
  terms: ReadonlySet<string>;
  /** In small letters. */
  text: string;
}

/** Every unit of the found sections with its score. */
export function scoredUnits(facet: RetrievedFacet): ScoredUnit[] {
  const scorer = new Scorer(facet);
  return facet.passages.flatMap((passage, rank) => scorer.unitsOf(passage, rank));
}

class Scorer {
  private readonly close: ReadonlyMap<string, RetrievedFacet['close']>;
  private readonly said: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly asked: ReadonlySet<Concept>;
  private readonly weight: number;
  private readonly all: number;
  private readonly extra: ReadonlyMap<string, number>;

  constructor(private readonly facet: RetrievedFacet) {
    this.close = Map.groupBy(facet.close, ([, concept]) => concept);
    this.said = new Map(facet.said.map(([path, said]) => [path, new Set(said)]));
    this.asked = new Set(askedOf(facet));
    this.weight = weightOfAll([...this.asked]) || 1;
    this.all = weightOfAll(facet.concepts) || 1;
    this.extra = new Map(facet.values);
  }

  unitsOf(passage: Passage, rank: number): ScoredUnit[] {
    const units = unitsOf(passage.document.format, passage.chunks);
    const { path, title } = passage.document;
    const headings = passage.headings.filter((heading) => heading !== '');
    const around: [Texts, number][] = [
      [textsOf(headings.at(-1) ?? ''), LEVELS.heading],
      [textsOf(headings.slice(0, -1).join('\n')), LEVELS.upper],
      [textsOf(`${path} ${title}`), LEVELS.document],
      [textsOf(units.map(({ text }) => text).join('\n')), LEVELS.beside],
    ];
    const { folders, surely } = this.facet;
    const isOutside = folders.length > 0 && !isWithin(path, folders);
    const standing = isOutside ? OUTSIDE[surely ? 'surely' : 'perhaps'] : 1;
    return units.map((unit, at) => this.scored(passage, unit, at, around, { standing, rank }));
  }

  private scored(
    passage: Passage,
    unit: Unit,
    at: number,
    around: readonly [Texts, number][],
    { standing, rank }: { standing: number; rank: number },
  ): ScoredUnit {
    const own = textsOf(`${unit.sentences.join('\n')}\n${unit.code?.text ?? ''}`);
    const levels: [Texts, number][] = [[own, LEVELS.own], [textsOf(unit.above), LEVELS.above], ...around];
    let [ranked, covered, owned] = [0, 0, 0];
    const lacks: Concept[] = [];
    const said = this.said.get(passage.document.path);
    for (const concept of this.facet.concepts) {
      const level = Math.max(0, ...levels.map(([texts, worth]) => worth * this.matched(concept, texts)));
      ranked += level * weightOf(concept);
      if (!this.asked.has(concept)) continue;
      const near = Math.max(level, level > 0 ? NEAR.beside : 0, said?.has(concept.word) ? NEAR.elsewhere : 0);
      covered += near * weightOf(concept);
      if (this.matched(concept, own) > 0) owned += weightOf(concept);
      if (near === 0 || (concept.isName && level < LEVELS.beside)) lacks.push(concept);
    }
    const covers = covered / this.weight;
    const extra = this.extraOf(own);
    const [heading] = around[0] ?? [];
    const isHeaded = at === 0 && heading !== undefined && this.shareOf(heading) >= 0.5;
    const leading = at === 0 ? 1.08 : 1;
    const speaksItself = isHeaded ? 1 : 0.6 + 0.4 * Math.min(1, (2 * owned) / this.weight + (fitOf(unit, this.facet.wanted) > 1 ? 0.5 : 0));
    const score =
      (ranked / this.all + EXTRA_WEIGHT * extra) *
      speaksItself *
      fitOf(unit, this.facet.wanted) *
      clarity(unit) *
      leading *
      (standing / (1 + rank * RANK_COST));
    return { passage, unit, terms: own.terms, score, covers: covers * standing, lacks };
  }

  /** Share of the question that a text covers. */
  private shareOf(texts: Texts): number {
    return [...this.asked].reduce((sum, concept) => sum + this.matched(concept, texts) * weightOf(concept), 0) / this.weight;
  }

  /** From 0 to 1. */
  private matched(concept: Concept, { terms, text }: Texts): number {
    const { terms: names, parts, phrase, isName, word } = concept;
    if (phrase !== undefined && text.includes(phrase)) return 1;
    if (names.some((name) => terms.has(name))) return 1;
    if (parts.length > 0 && parts.every((part) => terms.has(part))) return isName ? PARTS_SHARE : 1;
    if (isName) return 0;
    let best = 0;
    for (const [term, , closeness] of this.close.get(word) ?? []) if (closeness > best && terms.has(term)) best = closeness;
    return best * CLOSE_SHARE;
  }

  /** Share of what was said beside the question. */
  private extraOf({ terms }: Texts): number {
    let [all, had] = [0, 0];
    for (const [term, value] of this.extra) {
      all += value;
      if (terms.has(term)) had += value;
    }
    return all === 0 ? 0 : had / all;
  }
}

/** What an answer should cover: the names of folders say where to look, and need not be repeated there. */
export function askedOf({ concepts, folders, surely }: RetrievedFacet): readonly Concept[] {
  if (!surely) return concepts;
  const asked = concepts.filter(
    ({ word }) =>
      !word
        .toLowerCase()
        .split('/')
        .some((part) => folders.includes(part)),
  );
  return asked.length > 0 ? asked : concepts;
}

function textsOf(text: string): Texts {
  return { terms: new Set(termsOf(text)), text: text.toLowerCase() };
}

const DATE = /\b(?:19|20)\d\d\b|\b(?:january|february|march|april|june|july|august|september|october|november|december) \d/i;
const TIME =
  /\b(?:1\d{3}|20\d\d)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b\d{1,2}:\d\d\b|\b(?:midnight|noon|before|after|once|as soon as|every|until)\b/i;
const AMOUNT = /\p{N}|\b(?:once|twice|one|two|three|four|five|six|seven|eight|nine|ten|never|always|unlimited)\b/iu;
const DEFINITION = /\b(?:is|are|was|were|means|refers to|stands for)\b/i;
/** A numbered list, or a diagram with arrows. */
const ORDERED = /^\(1\) |[─▶→▼↓]|-+>/;
const DEFAULT = /\bdefaults?\b|\bby default\b|\bif (?:not|omitted|unset)\b/i;

/** Whether a text says a day or year, which a question for one needs. */
export const saysDate = (text: string): boolean => DATE.test(text);

/** Prefers units that hold the kinds of things that were asked for. */
function fitOf(unit: Unit, wanted: readonly Wanted[]): number {
  const says = Math.max(...wanted.map((kind) => (saysKind(unit, kind) ? SAYS[kind] : 1)));
  const forms = Math.max(...wanted.map((kind) => FORMS[kind][unit.kind]));
  return says * forms;
}

/** Factors for units that say such a thing. */
const SAYS: Readonly<Record<Wanted, number>> = {
  default: 1.35,
  amount: 1.2,
  time: 1.25,
  date: 1.25,
  definition: 1.15,
  list: 1,
  order: 1.2,
  code: 1,
  anything: 1,
};

function saysKind({ text, above, kind }: Unit, wanted: Wanted): boolean {
  switch (wanted) {
    case 'default':
      return DEFAULT.test(text) || (kind === 'row' && DEFAULT.test(above));
    case 'amount':
      return AMOUNT.test(text);
    case 'date':
    case 'time':
      return TIME.test(text);
    case 'order':
      return ORDERED.test(text);
    case 'definition':
      return DEFINITION.test(text);
    default:
      return false;
  }
}

/** Factors for the forms in which such a thing is told. */
const TERSE = { code: 0.65, list: 0.65, prose: 1, item: 1, row: 1 };
const FORMS: Readonly<Record<Wanted, Readonly<Record<Unit['kind'], number>>>> = {
  code: { code: 1.25, list: 0.7, prose: 1, item: 1, row: 0.9 },
  list: { code: 1, list: 1.35, prose: 1, item: 0.95, row: 1.05 },
  order: { code: 1.3, list: 1.3, prose: 0.9, item: 0.85, row: 0.9 },
  default: TERSE,
  amount: TERSE,
  time: TERSE,
  date: TERSE,
  definition: { code: 0.75, list: 0.7, prose: 1, item: 1, row: 1 },
  anything: { code: 0.75, list: 0.8, prose: 1, item: 1, row: 1 },
};

/** Devalues units that are very short or very long. */
function clarity({ text, kind, sentences: [first = ''] }: Unit): number {
  const length = words(text).length;
  if (kind === 'list' || kind === 'code') return length > 200 ? 0.85 : 1;
  if (kind === 'row') return 1;
  return (length < 4 ? 0.8 : 1) * (kind === 'prose' && /^\p{Ll}/u.test(first) ? 0.8 : 1);
}
