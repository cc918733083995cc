import { splitSentences } from '@lib/language/sentences';
import { words } from '@lib/language/tokens';

import { answeringCoverage, coverage, type Concept } from './concept';
import type { Wanted } from './facets';
import type { Passage } from './passages';
import { quotables, type Quotable } from './quotations';
import type { RetrievedFacet } from './retrieve';
import { similarity, termsOf } from './terms';

/** Sentences of one paragraph that belong in the answer, in their order. */
export interface Quotation {
  passage: Passage;
  paragraph: Quotable;
  /** Markdown, each on one line. */
  sentences: string[];
  /** Score of its best sentence. */
  score: number;
}

interface Candidate {
  passage: Passage;
  paragraph: Quotable;
  /** The paragraph's sentences, and which of them this is. */
  sentences: readonly string[];
  position: number;
  terms: ReadonlySet<string>;
  score: number;
}

/** Sentences taken from each found passage, on average. */
const SENTENCES_PER_PASSAGE = 1.3;
/** Weight of a term in the section's headings, relative to one in the sentence itself. */
const HEADING_WORTH = 0.35;
/** How much each lower rank reduces a sentence's score. */
const RANK_COST = 0.03;
/** Sentences that share more of their terms than this are taken as repetitions. */
const SAME = 0.7;
/** Sentences below this share of the best score are dropped. */
const LEAST_WORTH = 0.4;
/** Factor for a sentence that repeats what the reader knows already. */
const KNOWN_WORTH = 0.4;
/** Factor for a sentence that contains the kind of answer the question wants. */
const WANTED_WORTH = 1.25;
const REFERS_BACK = /^(?:this|that|these|those|it|its|they|such|however|otherwise|also|then|in this case|in that case|by default, it)\b/i;

/** Quotations from a further document must cover the question at least this well, relative to the best document. */
const BESIDE_BEST = 0.6;

/**
 * The sentences of the found passages that answer best, without repetitions, grouped by paragraph, best first. Empty if they cover too
 * little of the question.
 * @param known sentences that the reader has already
 */
export function answer({ passages, values, concepts, wanted }: RetrievedFacet, known: readonly string[]): Quotation[] {
  const value = new Map(values);
  const knownTerms = known.map((sentence) => new Set(termsOf(sentence)));
  const worthOf = ({ terms, score, sentences, position }: Candidate, rank: number): number => {
    const isKnown = knownTerms.some((other) => similarity(other, terms) > SAME);
    return (score * (isKnown ? KNOWN_WORTH : 1) * fit(sentences[position] ?? '', wanted)) / (1 + rank * RANK_COST);
  };
  const candidates = passages
    .flatMap((passage, rank) => candidatesOf(passage, value).map((candidate) => ({ ...candidate, score: worthOf(candidate, rank) })))
    .sort((left, right) => right.score - left.score);
  const limit = Math.ceil(passages.length * SENTENCES_PER_PASSAGE);
  const least = LEAST_WORTH * (candidates[0]?.score ?? 0);
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    if (chosen.length >= limit || candidate.score <= least) break;
    if (!chosen.some((other) => similarity(other.terms, candidate.terms) > SAME)) chosen.push(candidate);
  }
  return aboutTheQuestion(quotationsOf(chosen), concepts);
}

const TIME =
  /\b(?:1\d{3}|20\d\d)\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b\d{1,2}:\d\d\b|\b(?:midnight|noon|before|after|once|as soon as|every|until)\b/i;
const AMOUNT = /\p{N}|\b(?:once|twice|one|two|three|four|five|six|seven|eight|nine|ten|never|always|unlimited)\b/iu;
const DEFINITION = /\b(?:is|are|was|were|means|refers to|stands for)\b/i;

/** Prefers sentences that contain the kind of thing that was asked for. */
function fit(sentence: string, wanted: Wanted): number {
  const fits = { time: TIME, amount: AMOUNT, definition: DEFINITION, anything: null }[wanted]?.test(sentence) ?? false;
  return fits ? WANTED_WORTH : 1;
}

/** Judges each document by itself: single words scattered over several documents are no answer. */
function aboutTheQuestion(quotations: readonly Quotation[], concepts: readonly Concept[]): Quotation[] {
  const documents = Map.groupBy(quotations, ({ passage }) => passage.document.path);
  const covered = new Map(Array.from(documents, ([path, quoted]) => [path, coverage(concepts, quotedTerms(quoted))]));
  const best = Math.max(0, ...covered.values());
  if (best < answeringCoverage(concepts)) return [];
  return quotations.filter(({ passage }) => (covered.get(passage.document.path) ?? 0) >= best * BESIDE_BEST);
}

/** The terms of quotations, of the headings above them and of their documents' paths. */
export function quotedTerms(quotations: readonly Quotation[]): ReadonlySet<string> {
  const texts = quotations.flatMap(({ passage: { document, headings }, sentences }) => [
    document.path,
    document.title,
    ...headings,
    ...sentences,
  ]);
  return new Set(termsOf(texts.join('\n')));
}

function candidatesOf(passage: Passage, value: ReadonlyMap<string, number>): Candidate[] {
  const above = new Set(termsOf(passage.headings.join(' ')));
  return quotables(passage.document.format, passage.chunks).flatMap((paragraph) => {
    const sentences = splitSentences(paragraph.markdown).map(({ text }) => text);
    return sentences.flatMap((sentence, position): Candidate[] => {
      if (!isQuotable(sentence)) return [];
      const terms = new Set(termsOf(sentence));
      return [{ passage, paragraph, sentences, position, terms, score: worth(terms, above, value) * clarity(sentence) }];
    });
  });
}

const POINTS_ELSEWHERE = /^\W*(?:see|examples?|for (?:more|further|examples?|details|information))\b/i;

/** Excludes questions, references to what follows or is elsewhere, and texts whose brackets would look like a citation mark. */
function isQuotable(sentence: string): boolean {
  return !/[?:]$/.test(sentence) && !POINTS_ELSEWHERE.test(sentence) && !/\[\^?\d+\]/.test(sentence) && words(sentence).length >= 4;
}

function worth(terms: ReadonlySet<string>, above: ReadonlySet<string>, value: ReadonlyMap<string, number>): number {
  let [own, inherited] = [0, 0];
  for (const [term, worth] of value) {
    if (terms.has(term)) own += worth;
    else if (above.has(term)) inherited += worth;
  }
  return own === 0 ? 0 : own + inherited * HEADING_WORTH;
}

/** Devalues sentences that are very short, very long (usually lists), or depend on the sentence before. */
function clarity(sentence: string): number {
  const length = words(sentence).length;
  const complete = /^\p{Ll}/u.test(sentence) ? 0.5 : 1;
  return length < 7 || length > 45 ? complete * 0.6 : complete;
}

function quotationsOf(chosen: readonly Candidate[]): Quotation[] {
  const paragraphs = new Map<string, { best: Candidate; positions: Set<number> }>();
  for (const candidate of chosen) {
    const { passage, paragraph, sentences, position } = candidate;
    const key = `${passage.document.path}#${paragraph.startLine} ${paragraph.text}`;
    const entry = paragraphs.get(key) ?? { best: candidate, positions: new Set() };
    entry.positions.add(position);
    // A sentence that begins with "This" needs the one before.
    if (position > 0 && REFERS_BACK.test(sentences[position] ?? '')) entry.positions.add(position - 1);
    paragraphs.set(key, entry);
  }
  return Array.from(paragraphs.values(), ({ best, positions }) => ({
    passage: best.passage,
    paragraph: best.paragraph,
    sentences: best.sentences.filter((_, position) => positions.has(position)),
    score: best.score,
  }));
}
