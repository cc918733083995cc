import type { Lack } from '../folder/folder';
import type { Document } from '../formats/passages';

/** The separately searchable parts of a passage; `document` is its path and title. */
export const FIELDS = ['body', 'headings', 'document'] as const;
export type Field = (typeof FIELDS)[number];

/** Why a second copy of a document is left out. */
export const SAME_CONTENT = 'another document has the same content';

/** A file at the time it was read. */
export interface IndexedFile {
  path: string;
  size: number;
  modifiedAt: number;
  /** SHA-256 of its content, in base64; empty for a file that could not be read. */
  digest: string;
  /** Why it is left out; null for a document. */
  skipped: string | null;
  lack: Lack | null;
  title: string;
  format: Document['format'];
  passages: number;
  /** Length of its compressed passages in `texts`. */
  textBytes: number;
}

/**
 * The index of a folder as it is stored on disk: everything in the order of the files, and of the passages within them. Postings are
 * counted from it on loading, so adding or removing a file only means copying ranges of these arrays.
 */
export interface IndexContent {
  files: IndexedFile[];
  /** The terms by number. Terms no longer used stay until the index is rebuilt. */
  terms: string[];
  /** Token counts of each passage: three numbers, in the order of `FIELDS`. */
  lengths: Uint32Array;
  /** Term numbers of all passages, in order of occurrence. */
  tokens: Uint32Array;
  /** A vector for each passage: `DIMENSIONS` components, not normalized; all 0 where no word is known. */
  vectors: Int8Array;
  /** The passages of each document as compressed JSON. */
  texts: Uint8Array;
}
