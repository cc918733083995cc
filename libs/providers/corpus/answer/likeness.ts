import { sentenceVectors } from '@lib/language/models/sentence-vectors';
import { cosine } from '@lib/language/word-vectors';

import type { ResearchRequest } from '../../research-provider';
import type { CorpusStrategy } from '../finding/corpus-strategy';
import { sectionsAround, type FindingOptions, type Retrieved, type RetrievedFacet } from '../finding/retrieve';
import type { Passage } from '../formats/passages';
import type { CorpusIndex } from '../index/corpus-index';
import { areFew } from '../question/few-documents';
import { termsOf } from '../index/terms';
import { areNearlySame } from './distinct';
import { unitsOf } from '../units/units';
import { meaningKey, meaningOf } from './meaning';
import { scoredUnits } from './scoring';
import { CLOSE_LIKENESS } from './sufficient';

/** How many units of a question are compared among many or long documents, the best by their words: more changed hardly any answer. */
const COMPARED = 32;
/** Among few documents everything is compared, if it is not more than this: each takes 5 to 8 ms, once in a process. */
const MOST_UNITS = 2_000;
/** The strategies that also find by meaning. The others keep to what they find by words, so that several engines differ. */
const BY_MEANING: ReadonlySet<CorpusStrategy> = new Set(['dense', 'fused']);

/** What was said before the question, beside the question itself. */
const BEFORE = 0.5;

/** Something that documents say, with its section. */
interface Told {
  passage: Passage;
  meaning: string;
}

interface Compared extends Told {
  likeness: number;
}

/**
 * Compares what was found with the question in meaning, and among few documents adds what is most like it.
 * @throws Error if the model of sentences cannot be run, or `signal` is aborted
 */
export async function compareMeanings(
  retrieved: Retrieved,
  index: CorpusIndex,
  request: ResearchRequest,
  { strategy, breadth }: FindingOptions,
  signal: AbortSignal,
): Promise<Retrieved> {
  const asked = await meaningAsked(request, signal);
  const compare = async (told: readonly Told[]): Promise<Compared[]> => {
    const meanings = told.map(({ meaning }) => meaning);
    const each = await sentenceVectors().of(meanings, signal);
    return told.map((one, at) => ({ ...one, likeness: cosine(asked, each[at] ?? []) }));
  };
  const everything = await compare(everythingIn(index));
  const facets: RetrievedFacet[] = [];
  for (const facet of retrieved.facets) {
    const found = toldIn(facet.passages);
    const added = BY_MEANING.has(strategy) ? missingFrom(found, everything, breadth) : [];
    const compared = await compare(everything.length > 0 ? [...found, ...toldIn(added)] : bestOf(facet));
    const alike = compared.map(({ meaning, likeness }): [number, number] => [meaningKey(meaning), rounded(likeness)]);
    facets.push({ ...facet, passages: [...facet.passages, ...added], alike });
  }
  return { ...retrieved, facets };
}

/** What is asked, with what was said beside it; of a job that pursues another, half as much what was said before. */
async function meaningAsked({ query, context }: ResearchRequest, signal: AbortSignal): Promise<Float32Array> {
  const before = context ? [[context.question, ...context.laterMessages].join(' ')] : [];
  const [asked = new Float32Array(), said] = await sentenceVectors().of([query, ...before], signal);
  return said ? asked.map((value, at) => value + BEFORE * (said[at] ?? 0)) : asked;
}

const rounded = (likeness: number): number => Math.round(likeness * 1000) / 1000;

/** The units that fit the question best by their words. */
function bestOf(facet: RetrievedFacet): Told[] {
  return scoredUnits(facet)
    .sort((one, other) => other.score - one.score)
    .slice(0, COMPARED)
    .map(({ passage, unit }) => ({ passage, meaning: meaningOf(passage, unit) }));
}

/** The sections of what is most like the question and was not found by its words. */
function missingFrom(found: readonly Told[], compared: readonly Compared[], most: number): Passage[] {
  const known = found.map(({ meaning }) => new Set(termsOf(meaning)));
  const near = compared.filter(({ likeness }) => likeness >= CLOSE_LIKENESS.few);
  const best = near.sort((one, other) => other.likeness - one.likeness).slice(0, most);
  const isNew = ({ meaning }: Told): boolean => {
    const terms = new Set(termsOf(meaning));
    return !known.some((other) => areNearlySame(other, terms));
  };
  return [...new Set(best.filter(isNew).map(({ passage }) => passage))];
}

const toldIn = (passages: readonly Passage[]): Told[] =>
  passages.flatMap((passage) =>
    unitsOf(passage.document.format, passage.chunks).map((unit) => ({ passage, meaning: meaningOf(passage, unit) })),
  );

/** By index, because it changes only with the documents. */
const toldByIndex = new WeakMap<CorpusIndex, Told[]>();

/** All that few documents tell; nothing of many or of long ones. */
function everythingIn(index: CorpusIndex): readonly Told[] {
  // A passage has at least one unit, so that a long document is not read for nothing.
  if (!areFew(index.documents) || index.size > MOST_UNITS) return [];
  const told = toldByIndex.get(index) ?? toldIn(sectionsAround([...Array(index.size).keys()], index));
  toldByIndex.set(index, told);
  return told.length > MOST_UNITS ? [] : told;
}
