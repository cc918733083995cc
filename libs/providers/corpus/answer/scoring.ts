import { areTheSame } from '@lib/language/sets';
import { SURELY_CLOSE } from '../question/closeness';
import { weightOf, weightOfAll, type Concept } from '../question/concept';
import { clarity, fitOf } from './fit';
import { isWithin } from '../index/folders';
import { meaningKey, meaningOf } from './meaning';
import { matched, textsOf, togetherOf, type Texts } from './matched';
import type { Passage } from '../formats/passages';
import type { RetrievedFacet } from '../finding/retrieve';
import { termsOf } from '../index/terms';
import type { Unit } from '../units/unit';
import { unitsOf } from '../units/units';
import { worthOf } from './worth';

/** A unit and how well it answers. */
export interface ScoredUnit {
  passage: Passage;
  unit: Unit;
  /** Its place among the units of its passage, and that of the last one that was joined to it. */
  first: number;
  last: number;
  terms: ReadonlySet<string>;
  /** The terms including those of the introduction that it is always quoted with. */
  quoted: ReadonlySet<string>;
  /** For choosing among the units of one question. */
  score: number;
  /** How well it fits the question by itself, independent of other units. */
  strength: number;
  /** How like the question it is in meaning, from -1 to 1; 0 if this was not compared. */
  likeness: number;
  /** Share of the question that the unit and its surroundings cover, from 0 to 1. */
  covers: number;
  /** Words of the question found neither in the unit nor in its surroundings. */
  lacks: readonly Concept[];
  /** Words of the question met only by words of a like meaning, which may be of another thing. */
  loose: readonly Concept[];
}

/** What a word of the question is worth by its place: in the unit, in its lead-in, in headings, in the document's name, elsewhere in the section. */
const LEVELS = { own: 1, above: 0.8, heading: 0.8, upper: 0.6, document: 0.6, beside: 0.25 };
/** For deciding whether a document answers at all, words near the unit or elsewhere in its document count more than for choosing a unit. */
const NEAR = { beside: 0.4, elsewhere: 0.3 };
/** How much of the weight of words that were said beside the question, and are not found, an answer need not cover. */
const TELLS_A_STORY = 0.85;
const EXTRA_WEIGHT = 0.15;
/** How much each lower rank reduces a score. */
const RANK_COST = 0.02;
/** Factor for documents outside of the folders that the question names. */
const OUTSIDE = { surely: 0.5, perhaps: 0.6 };

/** A unit of a found section, with its surroundings. */
interface PlacedUnit {
  passage: Passage;
  unit: Unit;
  /** Its own text. */
  own: Texts;
  /** Its position in the section, from 0. */
  at: number;
  /** The surrounding texts with their factors, the section's own heading first. */
  around: readonly [Texts, number][];
  /** Whether the heading of its section is the question. */
  isAsked: boolean;
  /** Factor for the folder of its document. */
  folderFactor: number;
  /** Rank of the section among those found, from 0. */
  rank: number;
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
  /** The terms of the question as it was asked. */
  private readonly words: ReadonlySet<string>;
  private readonly weight: number;
  private readonly all: number;
  private readonly extra: ReadonlyMap<string, number>;
  private readonly alike: ReadonlyMap<number, number>;
  private readonly relevant: ReadonlyMap<number, number>;
  /** Of the judged ones; those that were not judged are worth no more. */
  private readonly leastRelevance: number;
  private readonly above = new Map<string, Texts>();

  constructor(private readonly facet: RetrievedFacet) {
    this.close = Map.groupBy(facet.close, ([, concept]) => concept);
    this.said = new Map(facet.said.map(([path, said]) => [path, new Set(said)]));
    this.asked = new Set(askedOf(facet));
    this.words = new Set(termsOf(facet.text));
    this.weight = weightOfAll([...this.asked]) || 1;
    this.all = weightOfAll(facet.concepts) || 1;
    this.extra = new Map(facet.values);
    this.alike = new Map(facet.alike);
    this.relevant = new Map(facet.relevant);
    this.leastRelevance = this.relevant.size === 0 ? 0 : Math.min(...this.relevant.values());
  }

  unitsOf(passage: Passage, rank: number): ScoredUnit[] {
    const units = unitsOf(passage.document.format, passage.chunks);
    const { path, title } = passage.document;
    const own = units.map((unit) => textsOf(saidBy(unit)));
    const headings = passage.headings.filter((heading) => heading !== '');
    const around: [Texts, number][] = [
      [textsOf(headings.at(-1) ?? ''), LEVELS.heading],
      [textsOf(headings.slice(0, -1).join('\n')), LEVELS.upper],
      [textsOf(`${path} ${title}`), LEVELS.document],
      [togetherOf(own), LEVELS.beside],
    ];
    const { folders, surely } = this.facet;
    const isOutside = folders.length > 0 && !isWithin(path, folders);
    const folderFactor = isOutside ? OUTSIDE[surely ? 'surely' : 'perhaps'] : 1;
    const isAsked = this.words.size > 0 && areTheSame(new Set(termsOf(headings.at(-1) ?? '')), this.words);
    return units.map((unit, at) => this.scored({ passage, unit, own: own[at] ?? textsOf(''), at, around, isAsked, folderFactor, rank }));
  }

  private scored(placed: PlacedUnit): ScoredUnit {
    const { passage, unit, own, at, around, isAsked, folderFactor, rank } = placed;
    const { ranked, covered, owned, told, says, gains, lacks, loose } = this.found(placed);
    const covers = covered / (this.weight - TELLS_A_STORY * told || 1);
    const extra = this.extraOf(own);
    const [heading] = around[0] ?? [];
    const isFirst = at === 0 || unit.isWhole === true;
    const isHeaded = isFirst && heading !== undefined && this.shareOf(heading) >= 0.5;
    const leading = isFirst ? 1.08 : 1;
    const speaksItself = isHeaded ? 1 : 0.6 + 0.4 * Math.min(1, (2 * owned) / this.weight + (fitOf(unit, this.facet.wanted) > 1 ? 0.5 : 0));
    const strength =
      (ranked / this.all + EXTRA_WEIGHT * extra) *
      speaksItself *
      fitOf(unit, this.facet.wanted) *
      clarity(unit) *
      leading *
      (folderFactor / (1 + rank * RANK_COST));
    const meaning = meaningKey(meaningOf(passage, unit));
    const likeness = this.alike.get(meaning) ?? 0;
    const relevance = this.relevant.get(meaning) ?? this.leastRelevance;
    const score = worthOf(
      strength,
      { says, around: gains.map((gain) => gain / this.all), isAsked, rank, likeness, relevance },
      unit,
      this.facet.wanted,
    );
    const quoted = own.terms.union(this.textsFor(unit.introduction.join('\n')).terms);
    return {
      passage,
      unit,
      first: at,
      last: at,
      terms: own.terms,
      quoted,
      score,
      strength,
      likeness,
      covers: covers * folderFactor,
      lacks,
      loose,
    };
  }

  /** Which concepts of the question are found in the unit, and around it. */
  private found({ passage, unit, own, around }: PlacedUnit) {
    const levels: [Texts, number][] = [[own, LEVELS.own], [this.textsFor(unit.above), LEVELS.above], ...around];
    let [ranked, covered, owned, told, says] = [0, 0, 0, 0, 0];
    const gains = [0, 0, 0, 0];
    const [lacks, loose]: [Concept[], Concept[]] = [[], []];
    const said = this.said.get(passage.document.path);
    for (const concept of this.facet.concepts) {
      const found = levels.map(([texts]) => matched(concept, texts, this.close.get(concept.word)));
      const level = Math.max(0, ...found.map((share, place) => share * (levels[place]?.[1] ?? 0)));
      ranked += level * weightOf(concept);
      let most = found[0] ?? 0;
      for (const at of gains.keys()) {
        const next = found[at + 1] ?? 0;
        if (next > most) gains[at] = (gains[at] ?? 0) + weightOf(concept) * (next - most);
        most = Math.max(most, next);
      }
      if (!this.asked.has(concept)) continue;
      says += (found[0] ?? 0) / this.asked.size;
      const near = Math.max(level, level > 0 ? NEAR.beside : 0, said?.has(concept.word) ? NEAR.elsewhere : 0);
      covered += near * weightOf(concept);
      if ((found[0] ?? 0) > 0) owned += weightOf(concept);
      if (near === 0 && concept.share < 1) told += weightOf(concept);
      if (near === 0 || (concept.isName && level < LEVELS.beside)) lacks.push(concept);
      else if (level > 0 && Math.max(...found) < SURELY_CLOSE) loose.push(concept);
    }
    return { ranked, covered, owned, told, says, gains, lacks, loose };
  }

  /** Cached, because all items of a list share the text above them. */
  private textsFor(above: string): Texts {
    const known = this.above.get(above) ?? textsOf(above);
    this.above.set(above, known);
    return known;
  }

  /** Share of the question that a text covers. */
  private shareOf(texts: Texts): number {
    return (
      [...this.asked].reduce((sum, concept) => sum + matched(concept, texts, this.close.get(concept.word)) * weightOf(concept), 0) /
      this.weight
    );
  }

  /** Share, by value, of the terms from the brief and the earlier job that a text contains. */
  private extraOf({ terms }: Texts): number {
    let [all, had] = [0, 0];
    for (const [term, value] of this.extra) {
      all += value;
      if (terms.has(term)) had += value;
    }
    return all === 0 ? 0 : had / all;
  }
}

/** The words an answer should cover. Names of folders only say where to look, so an answer need not repeat them. */
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

/** The unit's own text: for a row only its cells, because the heads belong to the text above. */
function saidBy({ kind, sentences, code, text }: Unit): string {
  return kind === 'row' ? text : `${sentences.join('\n')}\n${code?.text ?? ''}`;
}
