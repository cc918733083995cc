import { setImmediate as nextTurn } from 'node:timers/promises';

import MiniSearch from 'minisearch';

import { readDocuments } from './documents';
import type { DocumentFolder, SkippedFile } from './folder';
import type { Passage } from './passages';
import { termsOfPassage } from './terms';

/** How much a term of a query counts. */
export type TermWeights = ReadonlyMap<string, number>;

/** The parts of a passage that can be searched, with what a hit there counts. */
export interface FieldWeights {
  body: number;
  headings: number;
  /** Path and title of the document. */
  document: number;
}

export interface Hit {
  passage: Passage;
  score: number;
}

/** The event loop is not held longer than this while an index is built. */
const LONGEST_TURN_MS = 20;
const FIELDS = ['body', 'headings', 'document'] as const;
type Entry = { id: number } & Record<(typeof FIELDS)[number], string>;

/** The passages of a folder, found by BM25 over stems. */
export class CorpusIndex {
  readonly skipped: SkippedFile[] = [];
  documents = 0;
  private readonly passages: Passage[] = [];
  /** In how many passages a term occurs. */
  private readonly occurrences = new Map<string, number>();
  /** Terms come ready made, with spaces between: a text is split once, for the search and for the frequencies. */
  private readonly entries = new MiniSearch<Entry>({
    fields: [...FIELDS],
    tokenize: (terms) => terms.split(' '),
    processTerm: (term) => term,
  });

  static async build(folder: DocumentFolder): Promise<CorpusIndex> {
    const index = new CorpusIndex();
    let turnStarted = performance.now();
    for await (const file of readDocuments(folder)) {
      if ('reason' in file) {
        index.skipped.push(file);
        continue;
      }
      index.documents += 1;
      for (const passage of file.passages) {
        index.add(passage);
        if (performance.now() - turnStarted < LONGEST_TURN_MS) continue;
        await nextTurn();
        turnStarted = performance.now();
      }
    }
    return index;
  }

  /** The best passages for weighted terms, best first; equal ones in the order of the documents. */
  find(weights: TermWeights, fields: FieldWeights, limit: number): Hit[] {
    if (weights.size === 0) return [];
    const results = this.entries.search([...weights.keys()].join(' '), {
      fields: FIELDS.filter((field) => fields[field] > 0),
      boost: { ...fields },
      boostTerm: (term) => weights.get(term) ?? 1,
    });
    return results
      .sort((left, right) => right.score - left.score || Number(left.id) - Number(right.id))
      .slice(0, limit)
      .flatMap(({ id, score }) => {
        const passage = this.passages[Number(id)];
        return passage ? [{ passage, score }] : [];
      });
  }

  /** How rare a term is: 0 in every passage, about 9 in none of ten thousand. */
  rarity(term: string): number {
    const occurrences = this.occurrences.get(term) ?? 0;
    return Math.log(1 + (this.passages.length - occurrences + 0.5) / (occurrences + 0.5));
  }

  has(term: string): boolean {
    return this.occurrences.has(term);
  }

  private add(passage: Passage): void {
    const { body, headings, document } = termsOfPassage(passage);
    for (const term of new Set([...body, ...headings, ...document])) this.occurrences.set(term, (this.occurrences.get(term) ?? 0) + 1);
    const id = this.passages.push(passage) - 1;
    this.entries.add({ id, body: body.join(' '), headings: headings.join(' '), document: document.join(' ') });
  }
}
