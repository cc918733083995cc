import { DIMENSIONS } from '@lib/language/word-vector-file';
import { cosine } from '@lib/language/word-vectors';

import { foldersNamed, foldersOf, isWithin, type NamedFolders } from './folders';
import { stretchesOf, type FileStretch } from './index-builder';
import { best, Gains, type FieldWeights, type Hit } from './gains';
import { FIELDS, SAME_CONTENT, type Field, type IndexContent, type IndexedFile } from './index-content';
import type { Passage } from '../formats/passages';
import { PassageTexts } from './passage-texts';
import { PostingLists } from './postings';

/** Weights of a query's terms. */
export type TermWeights = ReadonlyMap<string, number>;

/** A factor for each file, by its number; null for none. */
export type FileFactors = Float64Array | null;

/** The passages of a folder, searchable by terms and by meaning. Immutable. */
export class CorpusIndex {
  /** How many documents there are. */
  readonly documents: number;
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly postings: PostingLists;
  private readonly stretches: readonly FileStretch[];
  /** The file of each passage. */
  private readonly fileOf: Uint32Array;
  /** Position of each passage's first token. */
  private readonly tokensAt: Uint32Array;
  private readonly gains: Gains;
  /** Names of the folders that hold documents of their own; computed on first use. */
  private folders: ReadonlySet<string> | undefined;
  private readonly texts: PassageTexts;

  constructor(readonly content: IndexContent) {
    const { files, terms, lengths } = content;
    this.documents = files.filter(({ skipped }) => skipped === null).length;
    this.numbers = new Map(terms.map((term, number) => [term, number]));
    this.postings = new PostingLists(content);
    this.stretches = stretchesOf(content);
    this.texts = new PassageTexts(content, this.stretches);
    this.fileOf = new Uint32Array(this.size);
    for (const [file, { passage }] of this.stretches.entries()) this.fileOf.fill(file, passage, passage + (files[file]?.passages ?? 0));
    this.tokensAt = new Uint32Array(this.size);
    let token = 0;
    for (let passage = 0; passage < this.size; passage += 1) {
      this.tokensAt[passage] = token;
      for (let field = 0; field < FIELDS.length; field += 1) token += lengths[passage * FIELDS.length + field] ?? 0;
    }
    this.gains = new Gains(lengths);
  }

  /** Paths of the files that could not be read: nothing is known of what they say. */
  get unread(): string[] {
    return this.content.files.filter(({ skipped }) => skipped !== null && skipped !== SAME_CONTENT).map(({ path }) => path);
  }

  /** How many passages there are. */
  get size(): number {
    return this.content.lengths.length / FIELDS.length;
  }

  /**
   * The best passages for weighted terms, best first; ties in the order of the documents. Each score is multiplied by the share of terms found.
   * @param factors a factor for the scores of each file
   */
  find(weights: TermWeights, fields: FieldWeights, limit: number, factors: FileFactors = null): Hit[] {
    const scores = new Float64Array(this.size);
    const matched = new Float64Array(this.size);
    const worths = FIELDS.map((field) => fields[field]);
    let all = 0;
    for (const [term, weight] of weights) {
      all += weight;
      const number = this.numbers.get(term);
      if (number === undefined) continue;
      const rarity = this.rarity(term) * weight;
      const { passages, counts } = this.postings.of(number);
      for (let at = 0; at < passages.length; at += 1) {
        const passage = passages[at] ?? 0;
        const gain = this.gains.of(passage, counts, at * FIELDS.length, worths);
        if (gain === 0) continue;
        scores[passage] = (scores[passage] ?? 0) + rarity * gain;
        matched[passage] = (matched[passage] ?? 0) + weight;
      }
    }
    return best(
      scores.map((score, passage) => (score * (matched[passage] ?? 0) * this.factorOf(passage, factors)) / (all || 1)),
      limit,
    );
  }

  /** The passages whose vectors are closest to a direction, best first. */
  nearest(direction: Float32Array, limit: number, factors: FileFactors): Hit[] {
    const scores = new Float64Array(this.size);
    for (let passage = 0; passage < this.size; passage += 1)
      scores[passage] = cosine(direction, this.vectorOf(passage)) * this.factorOf(passage, factors);
    return best(scores, limit);
  }

  /** A passage's vector, not normalized; all 0 where none of its words is known. */
  vectorOf(passage: number): Int8Array {
    return this.content.vectors.subarray(passage * DIMENSIONS, (passage + 1) * DIMENSIONS);
  }

  /** How rare a term is: 0 if every passage has it, about 9 if none of ten thousand has. */
  rarity(term: string): number {
    const number = this.numbers.get(term);
    const occurrences = number === undefined ? 0 : this.postings.of(number).passages.length;
    return Math.log(1 + (this.size - occurrences + 0.5) / (occurrences + 0.5));
  }

  has(term: string): boolean {
    const number = this.numbers.get(term);
    return number !== undefined && this.postings.of(number).passages.length > 0;
  }

  /** Whether one passage has all the terms. */
  hasTogether(terms: readonly string[]): boolean {
    const numbers = terms.map((term) => this.numbers.get(term) ?? -1);
    if (numbers.length === 0 || numbers.includes(-1)) return false;
    const [rarest, ...others] = numbers
      .map((number) => ({ number, passages: this.postings.of(number).passages }))
      .sort((one, other) => one.passages.length - other.passages.length);
    return (rarest?.passages ?? []).some((passage) => others.every(({ number }) => this.postings.isWithin(number, passage, passage + 1)));
  }

  /** The terms of a passage's field, with repetitions. */
  termsOf(passage: number, wanted: Field): string[] {
    const { lengths, tokens, terms } = this.content;
    let from = this.tokensAt[passage] ?? 0;
    for (const [at, field] of FIELDS.entries()) {
      const length = lengths[passage * FIELDS.length + at] ?? 0;
      if (field === wanted) return Array.from(tokens.subarray(from, from + length), (number) => terms[number] ?? '');
      from += length;
    }
    return [];
  }

  /** The folders, such as packages, that a question names. */
  foldersNamedIn(question: string, rankOf: (word: string) => number | undefined): NamedFolders {
    this.folders ??= foldersOf(this.content.files);
    return foldersNamed(question, this.folders, rankOf);
  }

  /** A factor for each file: 1 if it lies within one of the folders, else `others`. */
  favouring(folders: readonly string[], others: number): Float64Array {
    return Float64Array.from(this.content.files, ({ path }) => (isWithin(path, folders) ? 1 : others));
  }

  /** A passage with its neighbours from the same section, and the numbers of all of them. */
  section(passage: number, reach: number): { section: Passage; numbers: number[] } | undefined {
    const middle = this.passage(passage);
    if (!middle) return undefined;
    const key = keyOf(middle);
    const parts = new Map([[passage, middle]]);
    for (const step of [-1, 1])
      for (let at = passage + step; Math.abs(at - passage) <= reach; at += step) {
        const next = this.fileOf[at] === this.fileOf[passage] ? this.passage(at) : undefined;
        if (!next || keyOf(next) !== key) break;
        parts.set(at, next);
      }
    const numbers = [...parts.keys()].sort((left, right) => left - right);
    return { section: { ...middle, chunks: numbers.flatMap((number) => parts.get(number)?.chunks ?? []) }, numbers };
  }

  /** Whether the document of a passage contains a term. */
  documentHas(term: string, passage: number): boolean {
    const number = this.numbers.get(term);
    const file = this.fileOf[passage] ?? -1;
    const first = this.stretches[file]?.passage ?? 0;
    return number !== undefined && this.postings.isWithin(number, first, first + (this.content.files[file]?.passages ?? 0));
  }

  fileOfPassage(passage: number): IndexedFile | undefined {
    return this.content.files[this.fileOf[passage] ?? -1];
  }

  passage(passage: number): Passage | undefined {
    const at = this.fileOf[passage] ?? -1;
    const file = this.content.files[at];
    const stretch = this.stretches[at];
    if (!file || !stretch) return undefined;
    const found = this.texts.of(at)[passage - stretch.passage];
    return found && { document: { path: file.path, title: file.title, format: file.format }, ...found };
  }

  /** Whether a passage lies in a folder favoured by the factors. */
  isFavoured(passage: number, factors: FileFactors): boolean {
    return this.factorOf(passage, factors) === 1;
  }

  private factorOf(passage: number, factors: FileFactors): number {
    return factors?.[this.fileOf[passage] ?? 0] ?? 1;
  }
}

const keyOf = ({ headings, chunks }: Passage): string => [chunks[0]?.page ?? '', ...headings].join('\n');
