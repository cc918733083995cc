import { coverage, type Concept } from '../question/concept';
import type { CorpusIndex, FileFactors } from '../index/corpus-index';
import type { Hit } from '../index/gains';
import { searchedTexts, similarity } from '../index/terms';
import { tellOtherwise } from './versions';

/** Rules for choosing passages. */
export interface Selection {
  concepts: readonly Concept[];
  /** Most passages. */
  limit: number;
  /** Passages must cover the question at least this well, relative to the best one. */
  relevant: number;
  /** Passages must score at least this share of the first one. */
  ranked: number;
  /** Factors for the files that the question is surely about: these may answer it in other words. Null if no files are sure. */
  favour: FileFactors;
}

/** Passages that share more of their terms than this, and do not tell different things, count as repetitions. */
const SAME = 0.8;
/** Most versions of one text. */
const MAX_VERSIONS = 3;
/** Trusted passages (see `trustedIn`) are added, even if they share little with the question, until this share of the limit is reached. */
const FILLED = 0.67;
/** Least score, as a share of the best, of the passages that count as found first. */
const FOUND_FIRST = 0.6;
/** Weight of relevance against novelty (maximal marginal relevance, Carbonell and Goldstein 1998). */
const RELEVANCE = 0.75;

interface Candidate extends Hit {
  file: unknown;
  body: ReadonlySet<string>;
  relevance: number;
}

/** Chooses passages that come close to the best one and differ from each other, not too many from one document. */
export function selectPassages(
  index: CorpusIndex,
  found: readonly Hit[],
  { concepts, limit, relevant, ranked, favour }: Selection,
): number[] {
  const candidates = candidatesOf(index, found, { concepts, relevant, ranked });
  const chosen: Candidate[] = [];
  const left = new Set(candidates);
  while (chosen.length < limit && left.size > 0) {
    const next = mostValuable(left, chosen);
    left.delete(next);
    const ofDocument = chosen.filter(({ file }) => file === next.file);
    if (ofDocument.length >= Math.ceil(limit / 2) || repeats(index, next, chosen)) continue;
    chosen.push(next);
  }
  const most = Math.ceil(limit * FILLED);
  for (const next of trustedIn(index, found, favour)) {
    if (chosen.length >= most) break;
    if (!chosen.some(({ passage }) => passage === next.passage) && !repeats(index, next, chosen)) chosen.push(next);
  }
  return chosen.map(({ passage }) => passage);
}

type Bounds = Pick<Selection, 'concepts' | 'relevant' | 'ranked'>;

function candidatesOf(index: CorpusIndex, found: readonly Hit[], { concepts, relevant, ranked }: Bounds): Candidate[] {
  const bestScore = found[0]?.score ?? 0;
  const covered = found.map(({ passage }) => coverage(concepts, termsOfPassage(index, passage)));
  const best = Math.max(0, ...covered);
  return found.flatMap(({ passage, score }, at) => {
    if ((covered[at] ?? 0) < best * relevant || score < bestScore * ranked) return [];
    const body = new Set(index.termsOf(passage, 'body'));
    return [{ passage, score, file: index.fileOfPassage(passage), body, relevance: score / bestScore }];
  });
}

/**
 * The passages that are read however little they share with the question: those in the folders that it surely names or, if there are none, those
 * found first. A rare word of a story can make one passage cover much of the question, while the answer stands in the next.
 */
function trustedIn(index: CorpusIndex, found: readonly Hit[], favour: FileFactors): Candidate[] {
  const least = FOUND_FIRST * (found[0]?.score ?? 0);
  return found
    .filter(({ passage, score }) => (favour ? index.isFavoured(passage, favour) : score >= least))
    .map((hit) => ({ ...hit, file: index.fileOfPassage(hit.passage), body: new Set(index.termsOf(hit.passage, 'body')), relevance: 0 }));
}

function mostValuable(left: ReadonlySet<Candidate>, chosen: readonly Candidate[]): Candidate {
  const [first, ...others] = left;
  if (!first) throw new Error('Nothing is left to choose from');
  const value = (candidate: Candidate): number => RELEVANCE * candidate.relevance - (1 - RELEVANCE) * redundancy(candidate, chosen);
  return others.reduce((best, candidate) => (value(candidate) > value(best) ? candidate : best), first);
}

function redundancy({ body }: Candidate, chosen: readonly Candidate[]): number {
  return Math.max(0, ...chosen.map((other) => similarity(body, other.body)));
}

/**
 * Whether a passage only repeats another. Of two versions of a document, the reader needs both to see that they differ; of many, so many that other
 * documents still have their place.
 */
function repeats(index: CorpusIndex, { body, passage }: Candidate, chosen: readonly Candidate[]): boolean {
  const alike = chosen.filter((other) => similarity(body, other.body) > SAME);
  return alike.length >= MAX_VERSIONS || alike.some((other) => !tellOtherwise(bodyOf(index, passage), bodyOf(index, other.passage)));
}

function bodyOf(index: CorpusIndex, passage: number): string {
  const found = index.passage(passage);
  return found ? searchedTexts(found).body : '';
}

function termsOfPassage(index: CorpusIndex, passage: number): ReadonlySet<string> {
  return new Set((['body', 'headings', 'document'] as const).flatMap((field) => index.termsOf(passage, field)));
}
