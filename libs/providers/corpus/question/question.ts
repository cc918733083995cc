import type { ResearchRequest } from '../../research-provider';
import { NUMBERS } from '@lib/language/reading/lexicon';
import { describingWords } from '@lib/language/word-classes';
import { stemOf, stems, words } from '@lib/language/tokens';
import type { WordVectors } from '@lib/language/word-vectors';

import { askedKinds, withApostrophes } from './asked-words';
import { conceptsOf, subjectIn, subjectsOf } from './concepts-of';
import type { Concept } from './concept';
import type { CorpusIndex, FileFactors, TermWeights } from '../index/corpus-index';
import { facetsOf, type Facet } from './facets';
import type { SearchableCorpus } from '../index/keep-index';
import { searchedPartOf } from './searched-part';
import { withOtherSpellings } from './spelling';
import { identifierWords, termsOf, withUnitsApart } from '../index/terms';

/** A question, or one of the things it asks, prepared for search. */
export interface Question extends Facet {
  concepts: Concept[];
  /** Folders of the corpus that the question names, such as packages: the answer is there, if anywhere. */
  folders: string[];
  /** Factors that rank the documents of these folders first; null if it is not sure that they are meant. */
  favour: FileFactors;
  /** Search terms: those of the question and, with less weight, those of the whole request, the brief and the earlier job. */
  weights: TermWeights;
  /** The vector of the question; null if no word is known. */
  direction: Float32Array | null;
}

const PART_WEIGHT = 0.5;
/** Weight of a word by its frequency rank: this minimum up to rank `FREQUENT`, the full weight from rank `SPECIFIC` on. */
const OF_THE_MOST_FREQUENT = 0.3;
const [FREQUENT, SPECIFIC] = [100, 6_000];
const OF_NUMBERS = 0.4;
/** For a word that describes, or names an action: texts often use another word for it, while things mostly keep their names. */
const OF_DESCRIPTIONS = 0.3;
/** Factor for passages outside of the folders that the question surely names. */
const OTHER_FOLDERS = 0.4;
/** Weight of the words said beside a question. */
const CONTEXT_SHARE = 0.25;
/** The same for a question with none or only one telling word of its own. Below 1, since an answer need not repeat the names in the story. */
const CONTEXT_SHARES = [0.95, 0.5];
/** A question of at most this many words, all of them in `KINDS_OF_ANSWERS`, takes its subject from the text before it. */
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

/** The questions that a request asks, each with its context. */
export function understand(request: Asked, corpus: SearchableCorpus): Question[] {
  const { index, vectors } = corpus;
  const { context } = request;
  const asSearched = (said: string): string => withUnitsApart(withApostrophes(searchedPartOf(said)), (term) => index.has(term));
  const [query, brief] = [asSearched(request.query), asSearched(request.brief ?? '')];
  // "And why?" refers to the subject of the parent job.
  const text = context && conceptsOf(query, index).length === 0 ? asSearched(context.question) : query;
  const beside: WeighedText[] = [
    { text, weight: WHOLE_WEIGHT },
    { text: brief, weight: BRIEF_WEIGHT },
    { text: asSearched(context?.question ?? ''), weight: PARENT_WEIGHT },
    { text: asSearched([...(context?.claims ?? []), ...(context?.laterMessages ?? [])].join('\n')), weight: RECORDED_WEIGHT },
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

/** Words said beside the question count less, unless the question itself says hardly anything: "What did I do wrong?" */
function conceptsOfFacet({ text, context }: Facet, folders: readonly string[], kinds: ReadonlySet<string>, index: CorpusIndex): Concept[] {
  const said = conceptsOf(text, index);
  const isShort = context !== '' && words(text).length <= SAYS_NO_SUBJECT;
  const own = isShort && said.every(({ word }) => kinds.has(word) || KINDS_OF_ANSWERS.has(stemOf(word))) ? [] : said;
  const saying = own.filter(({ word }) => !folders.includes(word.toLowerCase()) && !kinds.has(word));
  const share = CONTEXT_SHARES[saying.length] ?? CONTEXT_SHARE;
  const isKnown = ({ terms, parts }: Concept): boolean => [...terms, ...parts].some((term) => index.has(term));
  const others = conceptsOf(context, index)
    .filter((concept, at, all) => ![...own, ...all.slice(0, at)].some((before) => isOneWord(before, concept)))
    // Context words that no document contains, such as "photographs", only belong to the asker's story.
    .filter((concept) => share === CONTEXT_SHARES[0] || isKnown(concept));
  return [...own, ...others.map((concept) => ({ ...concept, share }))];
}

/** "id" and "ids" are one word. */
const isOneWord = ({ word, terms: [term] }: Concept, other: Concept): boolean =>
  word === other.word || (term !== undefined && term === other.terms[0]);

/** Names are fully specific, bare numbers (also in words) are mostly examples, and other words are more specific the less frequent they are. */
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
