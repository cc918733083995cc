import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { WordVectors } from '@lib/language/word-vectors';

import type { AdapterLog } from '../../adapter';
import { openDocumentFile, readDocumentFile } from '../folder/document-file';
import { errorCode, largestOf, type DocumentFolder, type Lack, type ListedFile, type Listing, type SkippedFile } from '../folder/folder';
import { IndexBuilder, stretchesOf, type FileStretch } from './index-builder';
import { SAME_CONTENT, type IndexContent, type IndexedFile } from './index-content';
import { whyNoDocument } from '../formats/passages';
import { NoReaderProcess, ReaderEnded } from '../formats/reader-process';
import { readDocument } from '../formats/read-document';

/** Longest time that building an index blocks the event loop, apart from a single large file. */
const MAX_TURN_MS = 20;
const PROGRESS_MS = 5000;
/** Limit for the compressed text of all documents: about a quarter of the plain text, and of the memory an index takes. */
const MAX_TEXT_BYTES = 128 * 1024 * 1024;
const UNREADABLE = 'it cannot be read';
const TOO_MUCH = `all documents together are too large (more than ${MAX_TEXT_BYTES} bytes when compressed)`;

/** One pass over the files of a folder: unchanged ones are copied from the old index, the others read. */
export class IndexUpdate {
  /** Files that were read because they are new or may have changed. */
  filesRead = 0;
  private readonly known: ReadonlyMap<string, { file: IndexedFile; stretch: FileStretch }>;
  private readonly builder: IndexBuilder;
  /** Digests of the documents so far; of identical documents the first is kept. */
  private readonly digests = new Set<string>();
  private turnStarted = performance.now();
  private toldAt = performance.now();

  constructor(
    private readonly folder: DocumentFolder,
    private readonly kept: IndexContent | null,
    vectors: WordVectors,
    private readonly log: AdapterLog,
  ) {
    const stretches = kept ? stretchesOf(kept) : [];
    this.known = new Map(
      kept?.files.flatMap((file, at) => {
        const stretch = stretches[at];
        return stretch ? [[file.path, { file, stretch }]] : [];
      }),
    );
    this.builder = new IndexBuilder(vectors, kept?.terms);
  }

  async changes({ files, skipped }: Listing): Promise<boolean> {
    const listed = [...files, ...skipped];
    if (listed.length !== this.known.size) return true;
    const isNew = ({ path, reason }: SkippedFile): boolean => this.known.get(path)?.file.skipped !== reason;
    if (skipped.some(isNew) || files.some((file) => !this.isUnchanged(file))) return true;
    for (const { path } of files) if (await this.opensOtherwise(path)) return true;
    return false;
  }

  async run({ files, skipped }: Listing): Promise<IndexContent> {
    for (const { path, reason, lack } of skipped) this.skip({ path, size: 0, modifiedAt: 0 }, { reason, lack });
    for (const [done, file] of files.entries()) {
      await this.add(file);
      this.tell(done + 1, files.length);
      if (performance.now() - this.turnStarted < MAX_TURN_MS) continue;
      await nextTurn();
      this.turnStarted = performance.now();
    }
    return this.builder.finish();
  }

  private async add(file: ListedFile): Promise<void> {
    const known = this.known.get(file.path);
    if (known && this.isUnchanged(file) && this.staysAsItWas(known.file)) return this.copy(file, known);
    let content: Buffer;
    try {
      content = await readDocumentFile(this.folder, file.path, largestOf(file.path));
    } catch (error) {
      return this.skip(file, { reason: unreadable(error), lack: 'worker' });
    }
    this.filesRead += 1;
    const digest = createHash('sha256').update(content).digest('base64');
    if (this.digests.has(digest)) return this.skip(file, { reason: SAME_CONTENT, lack: 'document' }, digest);
    if (known?.file.digest === digest && known.file.skipped !== SAME_CONTENT) return this.copy(file, known);
    if (this.builder.textBytes > MAX_TEXT_BYTES) return this.skip(file, { reason: TOO_MUCH, lack: 'document' });
    await this.read(file, content, digest);
  }

  private async read(file: ListedFile, content: Buffer, digest: string): Promise<void> {
    try {
      const read = await readDocument(file.path, content);
      this.digests.add(digest);
      this.builder.add({ ...file, digest, ...read });
    } catch (error) {
      if (error instanceof NoReaderProcess) return this.skip(file, { reason: unreadable(error.cause), lack: 'worker' });
      if (error instanceof ReaderEnded) return this.skip(file, { reason: error.message, lack: 'worker' }, digest);
      // A parser that fails on a hostile file must not lose the other documents. It does so for every worker.
      this.skip(file, { reason: whyNoDocument(error), lack: 'document' }, digest);
    }
  }

  private copy({ size, modifiedAt }: ListedFile, { file, stretch }: { file: IndexedFile; stretch: FileStretch }): void {
    if (file.skipped === null) this.digests.add(file.digest);
    if (this.kept) this.builder.copy({ ...file, size, modifiedAt }, stretch, this.kept);
  }

  private skip(file: ListedFile, { reason, lack }: { reason: string; lack: Lack }, digest = ''): void {
    // A duplicate is not a fault that somebody has to fix.
    const log = reason === SAME_CONTENT ? this.log.info.bind(this.log) : this.log.warn.bind(this.log);
    if (this.known.get(file.path)?.file.skipped !== reason) log({ path: file.path, reason }, 'a document is skipped');
    this.builder.add({ ...file, digest, reason, lack });
  }

  private isUnchanged({ path, size, modifiedAt }: ListedFile): boolean {
    const file = this.known.get(path)?.file;
    return file !== undefined && file.size === size && file.modifiedAt === modifiedAt;
  }

  /** An unreadable file may have become readable, or be so for another user, without any change to the file's own data; so it is opened again. */
  private async opensOtherwise(path: string): Promise<boolean> {
    const skipped = this.known.get(path)?.file.skipped;
    if (!skipped?.startsWith(UNREADABLE)) return false;
    try {
      await (await openDocumentFile(this.folder, path)).close();
      return true;
    } catch (error) {
      return unreadable(error) !== skipped;
    }
  }

  /** A file that was left out because of other files is examined again once those are gone. */
  private staysAsItWas({ skipped, digest }: IndexedFile): boolean {
    if (skipped === SAME_CONTENT) return this.digests.has(digest);
    return skipped === null ? !this.digests.has(digest) : skipped !== TOO_MUCH && !skipped.startsWith(UNREADABLE);
  }

  private tell(done: number, all: number): void {
    if (performance.now() - this.toldAt < PROGRESS_MS) return;
    this.toldAt = performance.now();
    this.log.info({ done, of: all, read: this.filesRead }, 'indexing the documents');
  }
}

const unreadable = (error: unknown): string => `${UNREADABLE} (${errorCode(error)})`;
