import { brotliDecompressSync } from 'node:zlib';

import { boundedCache, textBytes } from '@lib/memory/bounded-cache';

import type { FileStretch } from './index-builder';
import type { IndexContent } from './index-content';
import type { Passage } from '../formats/passages';

/** The passages of a file as they are kept. */
interface ReadPassages {
  passages: Pick<Passage, 'headings' | 'chunks'>[];
  bytes: number;
}

const READ_BYTES = 16 * 1024 * 1024;
/** Parsed passages take at most this many times the bytes of their JSON. */
const PARSED_SHARE = 3;

/** The texts of an index, decompressed when they are needed. */
export class PassageTexts {
  /** The passages that were read most recently, by the number of their file. */
  private readonly read = boundedCache<ReadPassages>({ name: 'corpus passages', maxBytes: READ_BYTES, bytesOf: ({ bytes }) => bytes });

  /** The file that was read last, also if it is larger than what is kept of all: a question asks for many passages of one file. */
  private last: { at: number; passages: ReadPassages['passages'] } | undefined;

  constructor(
    private readonly content: IndexContent,
    private readonly stretches: readonly FileStretch[],
  ) {}

  /** The passages of a file, by its number. */
  of(at: number): ReadPassages['passages'] {
    if (this.last?.at === at) return this.last.passages;
    const known = this.read.get(String(at));
    if (known) return known.passages;
    const [from, bytes] = [this.stretches[at]?.text ?? 0, this.content.files[at]?.textBytes ?? 0];
    const json = brotliDecompressSync(this.content.texts.subarray(from, from + bytes)).toString('utf8');
    const passages = JSON.parse(json) as Passage[];
    this.read.set(String(at), { passages, bytes: PARSED_SHARE * textBytes(json) });
    this.last = { at, passages };
    return passages;
  }
}
