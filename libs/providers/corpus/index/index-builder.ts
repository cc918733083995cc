import { brotliCompressSync, constants } from 'node:zlib';

import { isStopWord, words } from '@lib/language/tokens';
import { DIMENSIONS } from '@lib/language/word-vector-file';
import type { WordVectors } from '@lib/language/word-vectors';

import { GrowingArray } from './growing-array';
import type { Lack } from '../folder/folder';
import { FIELDS, type Field, type IndexContent, type IndexedFile } from './index-content';
import type { Document, Passage } from '../formats/passages';
import { identifierWords, searchedTexts, termsOf } from './terms';

/** How many body words one word of the headings or the path counts for, since it says more about the subject. */
const HEADING_WORTH = 3;

/** A document that was read, or the reason why the file is none. */
export type ReadFile = Pick<IndexedFile, 'path' | 'size' | 'modifiedAt' | 'digest'> &
  ({ reason: string; lack: Lack } | { document: Document; passages: readonly Passage[] });

/** Builds an index file by file, from freshly read documents or from an earlier index. */
export class IndexBuilder {
  private readonly files: IndexedFile[] = [];
  private readonly terms: string[];
  private readonly numbers: Map<string, number>;
  private readonly lengths = new GrowingArray(Uint32Array);
  private readonly tokens = new GrowingArray(Uint32Array);
  private readonly vectors = new GrowingArray(Int8Array);
  private readonly texts = new GrowingArray(Uint8Array);

  /** @param terms those of the earlier index from which files are copied */
  constructor(
    private readonly wordVectors: WordVectors,
    terms: readonly string[] = [],
  ) {
    this.terms = [...terms];
    this.numbers = new Map(terms.map((term, number) => [term, number]));
  }

  /** Bytes of compressed text so far. */
  get textBytes(): number {
    return this.texts.length;
  }

  add(file: ReadFile): void {
    const { path, size, modifiedAt, digest } = file;
    if ('reason' in file) {
      const nothing = { title: '', format: 'plain', passages: 0, textBytes: 0 } as const;
      this.files.push({ path, size, modifiedAt, digest, skipped: file.reason, lack: file.lack, ...nothing });
      return;
    }
    const { document, passages } = file;
    // First, since it may fail, and then nothing of the file may stay.
    const text = compressed(passages);
    for (const passage of passages) this.addPassage(passage);
    this.texts.push(text);
    const { title, format } = document;
    const read = { skipped: null, lack: null, title, format, passages: passages.length, textBytes: text.length };
    this.files.push({ path, size, modifiedAt, digest, ...read });
  }

  /** Copies a file from an earlier index. */
  copy(file: IndexedFile, from: FileStretch, content: IndexContent): void {
    this.files.push(file);
    this.lengths.push(content.lengths.subarray(from.passage * FIELDS.length, (from.passage + file.passages) * FIELDS.length));
    this.tokens.push(content.tokens.subarray(from.token, from.token + from.tokens));
    this.vectors.push(content.vectors.subarray(from.passage * DIMENSIONS, (from.passage + file.passages) * DIMENSIONS));
    this.texts.push(content.texts.subarray(from.text, from.text + file.textBytes));
  }

  finish(): IndexContent {
    const { files, terms, lengths, tokens, vectors, texts } = this;
    return {
      files,
      terms,
      lengths: lengths.toArray(),
      tokens: tokens.toArray(),
      vectors: vectors.toArray(),
      texts: texts.toArray(),
    };
  }

  private addPassage(passage: Passage): void {
    const searched = searchedTexts(passage);
    for (const field of FIELDS) {
      const tokens = termsOf(searched[field]).map((term) => this.numberOf(term));
      this.tokens.push(tokens);
      this.lengths.push([tokens.length]);
    }
    this.vectors.push(this.vectorOf(searched));
  }

  private numberOf(term: string): number {
    const known = this.numbers.get(term);
    if (known !== undefined) return known;
    // Copied, because a substring would keep the whole text in memory.
    const detached = JSON.parse(JSON.stringify(term)) as string;
    const number = this.terms.push(detached) - 1;
    this.numbers.set(detached, number);
    return number;
  }

  private vectorOf({ body, headings, document }: Record<Field, string>): ArrayLike<number> {
    const above = subjectsOf(`${headings} ${document}`);
    const vector = this.wordVectors.sentenceVector([...subjectsOf(body), ...Array.from({ length: HEADING_WORTH }, () => above).flat()]);
    if (!vector) return new Int8Array(DIMENSIONS);
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    return vector.map((value) => Math.round((value / largest) * 127));
  }
}

/** Where a file's parts begin in the arrays of an index, and how many tokens it has. */
export interface FileStretch {
  passage: number;
  token: number;
  tokens: number;
  text: number;
}

/** The stretches of all files, in their order. */
export function stretchesOf({ files, lengths }: IndexContent): FileStretch[] {
  let [passage, token, text] = [0, 0, 0];
  return files.map((file) => {
    const tokens = sum(lengths.subarray(passage * FIELDS.length, (passage + file.passages) * FIELDS.length));
    const stretch = { passage, token, tokens, text };
    passage += file.passages;
    token += tokens;
    text += file.textBytes;
    return stretch;
  });
}

const subjectsOf = (text: string): string[] => [...words(text), ...identifierWords(text)].filter((word) => !isStopWord(word));

const sum = (values: Uint32Array): number => values.reduce((total, value) => total + value, 0);

/** For prose the lowest quality compresses nearly as well and is many times faster. */
const compressed = (passages: readonly Passage[]): Buffer =>
  brotliCompressSync(JSON.stringify(passages.map(({ headings, chunks }) => ({ headings, chunks }))), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 },
  });
