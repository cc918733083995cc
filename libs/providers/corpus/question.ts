import type { ResearchRequest } from '../research-provider';
import { NUMBERS } from '@lib/language/reading/lexicon';
import { describingWords } from '@lib/language/word-classes';
import { stemOf, stems, words } from '@lib/language/tokens';
import type { WordVectors } from '@lib/language/word-vectors';

import { askedKinds } from './asked-words';
import { conceptsOf, subjectIn, subjectsOf } from './concepts-of';
import type { Concept } from './concept';
import type { CorpusIndex, FileFactors, TermWeights } from './corpus-index';
import { facetsOf, type Facet } from './facets';
import type { SearchableCorpus } from './keep-index';
import { searchedPartOf } from './searched-part';
import { withOtherSpellings } from './spelling';
import { identifierWords, termsOf } from './terms';

/** A question, or one of the things it asks, prepared for search. */
export interface Question extends Facet {
  concepts: Concept[];
  /** Folders of the corpus that the question names, such as packages: what it asks is told there, if anywhere. */
  folders: string[];
  /** Their documents come first; null where it is not sure that they are meant. */
  favour: FileFactors;
  /** Search terms: those of the question, and with less weight those of the whole request, the brief and the earlier job. */
  weights: TermWeights;
  /** Its vector; null where no word is known. */
  direction: Float32Array | null;
}

const PART_WEIGHT = 0.5;
/** What words are worth by how many are more frequent: nothing less than this up to the first bound, everything from the second one. */
const OF_THE_MOST_FREQUENT = 0.3;
const [FREQUENT, SPECIFIC] = [100, 6_000];
const OF_NUMBERS = 0.4;
/** Of a word that describes or says what is done: a text says it with others. A thing mostly keeps its name. */
const OF_DESCRIPTIONS = 0.3;
/** Factor for passages outside of the folders that a question surely names. */
const OTHER_FOLDERS = 0.4;
/** Weights of the texts that accompany a question. */
const CONTEXT_SHARE = 0.25;
/** For a question that says nothing itself, or one word. Below 1, as an answer need not have the names of its story. */
const CONTEXT_SHARES = [0.95, 0.5];
/** What a question of so few words asks about, if they all are of `KINDS_OF_ANSWERS`, is told before it. */
const SAYS_NO_SUBJECT = 3;
/** Words that say what kind of answer is wanted: "Bug or expected?", "Snippet?". */
const KINDS_OF_ANSWERS = new Set(
  stems(`advice bug cause code correct cure deliberate expected explanation feature fix fixable hint idea ideas intended intentional issue known limitation
misuse normal possible problem recommendation remedy snippet solution solvable suggestion suggestions supported tip tips trick workaround`),
);
const WHOLE_WEIGHT = 0.3;
const BRIEF_WEIGHT = 0.4;
const PARENT_WEIGHT = 0.3;
const RECORDED_WEIGHT = 0.15;

type Asked = Pick<ResearchRequest, 'query' | 'brief' | 'context'>;

/** The things that a request asks, each with its context. */
export function understand(request: Asked, corpus: SearchableCorpus): Question[] {
  const { index, vectors } = corpus;
  const { context } = request;
  const [query, brief] = [searchedPartOf(request.query), searchedPartOf(request.brief ?? '')];
  // "And why?" refers to the subject of the parent job.
  const text = context && conceptsOf(query, index).length === 0 ? searchedPartOf(context.question) : query;
  const beside: WeighedText[] = [
    { text, weight: WHOLE_WEIGHT },
    { text: brief, weight: BRIEF_WEIGHT },
    { text: searchedPartOf(context?.question ?? ''), weight: PARENT_WEIGHT },
    { text: searchedPartOf([...(context?.claims ?? []), ...(context?.laterMessages ?? [])].join('\n')), weight: RECORDED_WEIGHT },
  ];
  const facets = facetsOf(text);
  const said = facets.filter((facet) => conceptsOf(`${facet.text} ${facet.context}`, index).length > 0);
  const asked = said.length > 0 ? said : facets.slice(0, 1);
  const { names: folders, surely } = index.foldersNamedIn(text, (word) => vectors.rankOf(word));
  const favour = surely ? index.favouring(folders, OTHER_FOLDERS) : null;
  return asked.map((facet) => {
    const describing = describingWords(`${facet.text} ${facet.context}`);
    const kinds = askedKinds(facet.text);
    const concepts = withOtherSpellings(conceptsOfFacet(facet, folders, kinds, index), corpus).map((concept) => ({
      ...concept,
      specificity:
        specificityOf(concept, vectors) *
        ((describing.has(concept.word) || kinds.has(concept.word)) && !concept.isName ? OF_DESCRIPTIONS : 1),
    }));
    const texts = [{ text: facet.text, weight: 1 }, { text: facet.context, weight: CONTEXT_SHARE }, ...beside];
    return { ...facet, concepts, folders, favour, weights: weightsOf(concepts, beside, index), direction: directionOf(texts, corpus) };
  });
}

/** Those of what was said beside the question count less, but for a question that says hardly anything itself: "What did I do wrong?" */
function conceptsOfFacet({ text, context }: Facet, folders: readonly string[], kinds: ReadonlySet<string>, index: CorpusIndex): Concept[] {
  const said = conceptsOf(text, index);
  const isShort = context !== '' && words(text).length <= SAYS_NO_SUBJECT;
  const own = isShort && said.every(({ word }) => kinds.has(word) || KINDS_OF_ANSWERS.has(stemOf(word))) ? [] : said;
  const saying = own.filter(({ word }) => !folders.includes(word.toLowerCase()) && !kinds.has(word));
  const share = CONTEXT_SHARES[saying.length] ?? CONTEXT_SHARE;
  const isKnown = ({ terms, parts }: Concept): boolean => [...terms, ...parts].some((term) => index.has(term));
  const others = conceptsOf(context, index)
    .filter((concept, at, all) => ![...own, ...all.slice(0, at)].some((before) => isOneWord(before, concept)))
    // Who uploads photographs where no document speaks of any tells a story.
    .filter((concept) => share === CONTEXT_SHARES[0] || isKnown(concept));
  return [...own, ...others.map((concept) => ({ ...concept, share }))];
}

/** "id" and "ids" are one word. */
const isOneWord = ({ word, terms: [term] }: Concept, other: Concept): boolean =>
  word === other.word || (term !== undefined && term === other.terms[0]);

/** A name is as specific as can be, a bare number, in words too, is mostly an example, and other words are the more specific the less frequent they are. */
function specificityOf({ word, isName, phrase }: Concept, vectors: WordVectors): number {
  if (isName || phrase !== undefined) return 1;
  if (/^\d+$/.test(word) || NUMBERS.has(word)) return OF_NUMBERS;
  const rank = vectors.rankOf(word);
  if (rank === undefined) return 1;
  return Math.min(1, Math.max(OF_THE_MOST_FREQUENT, Math.log((rank + 1) / FREQUENT) / Math.log(SPECIFIC / FREQUENT)));
}

interface WeighedText {
  text: string;
  weight: number;
}

function weightsOf(asked: readonly Concept[], beside: readonly WeighedText[], index: CorpusIndex): TermWeights {
  const weights = new Map<string, number>();
  const raise = (concepts: readonly Concept[], weight: number): void => {
    for (const { terms, parts, share } of concepts) {
      for (const term of parts) weights.set(term, Math.max(weight * share * PART_WEIGHT, weights.get(term) ?? 0));
      for (const term of terms) weights.set(term, Math.max(weight * share, weights.get(term) ?? 0));
    }
  };
  raise(asked, 1);
  for (const { text, weight } of beside) raise(conceptsOf(text, index), weight);
  return weights;
}

/** Weights each word as the search by terms does: by its text's weight and its rarity. */
function directionOf(texts: readonly WeighedText[], { index, vectors }: SearchableCorpus): Float32Array | null {
  const weights = new Map<string, number>();
  for (const { text, weight } of texts) {
    for (const word of [...subjectsOf(subjectIn(text, index)), ...identifierWords(text)])
      weights.set(word, Math.max(weight, weights.get(word) ?? 0));
  }
  return vectors.sentenceVector(weights.keys(), (word) => (weights.get(word) ?? 0) * index.rarity(termsOf(word)[0] ?? word));
}
