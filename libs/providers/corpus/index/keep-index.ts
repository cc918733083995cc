import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { openWordVectors, type WordVectors } from '@lib/language/word-vectors';

import type { AdapterLog } from '../../adapter';
import { CorpusIndex } from './corpus-index';
import { errorCode, listDocuments, type DocumentFolder } from '../folder/folder';
import { readIndex, UnusableIndex, writeIndex } from './index-file';
import { IndexUpdate } from './index-update';

export interface IndexPlace {
  /** Where indexes and word vectors are stored; null stores nothing. */
  cacheFolder: string | null;
  log: AdapterLog;
}

/** The index and the word vectors that a question is searched with. */
export interface SearchableCorpus {
  index: CorpusIndex;
  vectors: WordVectors;
}

/** Largest share of its time that a busy process spends on looking for changed files. */
const LOOKING_SHARE = 0.05;
const MIN_PAUSE_MS = 1000;

const NOT_KEPT =
  'the index of the documents cannot be kept, and will be built again: make room in that folder, or set CACHE_DIR to one that this user can write to';

/** The index of one folder: loaded from disk, updated when a question comes, and stored again. */
export class KeptIndex {
  private searchable: SearchableCorpus | undefined;
  private opening: Promise<SearchableCorpus> | undefined;
  private looksAgainAt = 0;

  constructor(
    private readonly folder: DocumentFolder,
    private readonly place: IndexPlace,
  ) {}

  /** Concurrent questions wait for the same update. */
  async open(): Promise<SearchableCorpus> {
    if (this.searchable && performance.now() < this.looksAgainAt) return this.searchable;
    this.opening ??= this.bringUpToDate().finally(() => (this.opening = undefined));
    return this.opening;
  }

  private async bringUpToDate(): Promise<SearchableCorpus> {
    const file = await indexFileOf(this.folder, this.place.cacheFolder);
    const vectors = this.searchable?.vectors ?? (await openWordVectors(this.place.cacheFolder));
    const index = this.searchable?.index ?? (file === null ? null : await this.readKept(file));
    const started = performance.now();
    const place = await placeOf(this.folder);
    const listing = await listDocuments(this.folder);
    const lookedFor = performance.now() - started;
    const update = new IndexUpdate(this.folder, index?.content ?? null, vectors, this.place.log);
    const current = index && !(await update.changes(listing)) ? index : new CorpusIndex(await update.run(listing));
    if ((await placeOf(this.folder)) !== place) throw new ReplacedFolder();
    if (current !== index) await this.keep(file, current, { read: update.filesRead, durationMs: Math.round(performance.now() - started) });
    this.looksAgainAt = performance.now() + Math.max(MIN_PAUSE_MS, lookedFor / LOOKING_SHARE);
    this.searchable = { index: current, vectors };
    return this.searchable;
  }

  private async readKept(file: string): Promise<CorpusIndex | null> {
    try {
      const content = await readIndex(file);
      return content && new CorpusIndex(content);
    } catch (error) {
      if (!(error instanceof UnusableIndex)) throw error;
      this.place.log.warn({ reason: error.message }, 'the kept index of the documents is not used, and built again');
      return null;
    }
  }

  private async keep(file: string | null, { content, documents, size }: CorpusIndex, told: object): Promise<void> {
    this.place.log.info({ documents, passages: size, ...told }, 'the index of the documents is up to date');
    if (file === null) return;
    await writeIndex(file, content).catch((error: unknown) =>
      this.place.log.warn({ reason: errorCode(error), folder: dirname(file) }, NOT_KEPT),
    );
  }
}

/** The folder was replaced while it was read. Its index would lack documents or hold another folder's, and would be kept and used for answers. */
class ReplacedFolder extends Error {
  override readonly name = 'ReplacedFolder';
  readonly code = 'it was replaced while it was read';
}

/** Identifies the folder: it changes when another folder takes the place of this one. */
async function placeOf({ path }: DocumentFolder): Promise<string> {
  const { dev, ino } = await stat(path);
  return [await realpath(path), dev, ino].join(' ');
}

/** Folders are identified by their real paths. */
async function indexFileOf(folder: DocumentFolder, cacheFolder: string | null): Promise<string | null> {
  if (cacheFolder === null) return null;
  const key = JSON.stringify({ ...folder, path: await realpath(folder.path) });
  return join(cacheFolder, `corpus-${createHash('sha256').update(key).digest('hex').slice(0, 16)}.index`);
}
