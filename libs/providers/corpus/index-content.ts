import type { Document } from './passages';

/** The parts of a passage that can be searched apart; `document` is its path and title. */
export const FIELDS = ['body', 'headings', 'document'] as const;
export type Field = (typeof FIELDS)[number];

/** A file as it was when it was read. */
export interface IndexedFile {
  path: string;
  size: number;
  modifiedAt: number;
  /** SHA-256 of its content, in base64; empty for a file that could not be read. */
  digest: string;
  /** Why it is left out; null for a document. */
  skipped: string | null;
  title: string;
  format: Document['format'];
  passages: number;
  /** Length of its passages in `texts`. */
  textBytes: number;
}

/**
 * What is known of a folder, as it is kept on disk: everything in the order of the files, then of the passages in them. Postings follow
 * from it by counting, so a file is added or left out by copying stretches of these arrays.
 */
export interface IndexContent {
  files: IndexedFile[];
  /** The terms by their numbers. Those that no file has any more stay until the index is built anew. */
  terms: string[];
  /** How many tokens each passage has, three numbers for each: in the order of `FIELDS`. */
  lengths: Uint32Array;
  /** The numbers of the terms of all passages, in the order in which they occur. */
  tokens: Uint32Array;
  /** What each passage is about: `DIMENSIONS` components each, of any length; all 0 where no word is known. */
  vectors: Int8Array;
  /** The passages of each document as compressed JSON. */
  texts: Uint8Array;
}
