import MiniSearch from 'minisearch';

import { CorpusIndex } from '@lib/providers/corpus/index/corpus-index';
import { IndexBuilder } from '@lib/providers/corpus/index/index-builder';
import { understand } from '@lib/providers/corpus/question/question';
import { STRATEGIES } from '@lib/providers/corpus/finding/strategies';
import { searchedTexts } from '@lib/providers/corpus/index/terms';
import type { CorpusStrategy } from '@lib/providers/corpus/finding/corpus-strategy';
import type { WordVectors } from '@lib/language/word-vectors';

import type { BareDocument } from './question-set';

/** Finds the numbers of passages for a question, best first. */
export type Finder = (question: string) => number[];

/** How many passages are examined; the reciprocal rank of a deeper one is negligible. */
const DEPTH = 100;

/** The strategies of the service, and the library's BM25 over the same text as it comes out of the box. */
export function findersOf(documents: readonly BareDocument[], vectors: WordVectors): Map<string, Finder> {
  const builder = new IndexBuilder(vectors);
  for (const { document, passages } of documents) {
    builder.add({ path: document.path, size: 0, modifiedAt: 0, digest: '', document, passages });
  }
  const corpus = { index: new CorpusIndex(builder.finish()), vectors };
  const names = Object.keys(STRATEGIES) as CorpusStrategy[];
  const finders = names.map((name): [string, Finder] => [
    name,
    (question) => {
      const facets = understand({ query: question, brief: null, context: null }, corpus);
      return alternating(facets.map((facet) => STRATEGIES[name](corpus.index, facet, DEPTH).map(({ passage }) => passage)));
    },
  ]);
  return new Map([['plain BM25 (minisearch)', plainBm25(documents)], ...finders]);
}

function plainBm25(documents: readonly BareDocument[]): Finder {
  const entries = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] });
  const texts = documents.flatMap(({ passages }) => passages.map((passage) => Object.values(searchedTexts(passage)).join('\n')));
  entries.addAll(texts.map((text, id) => ({ id, text })));
  return (question) =>
    entries
      .search(question)
      .slice(0, DEPTH)
      .map(({ id }) => Number(id));
}

/** The best of each list, then the second best of each … */
function alternating(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const ordered = Array.from({ length: longest }, (_, rank) => lists.flatMap((list) => list[rank] ?? []));
  return [...new Set(ordered.flat())].slice(0, DEPTH);
}
