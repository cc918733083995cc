import { NO_CHARGE } from '@lib/domain/money';

import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '../research-provider';
import type { CorpusIndex } from './index/corpus-index';
import { errorCode, type DocumentFolder } from './folder/folder';
import { KeptIndex, type IndexPlace, type SearchableCorpus } from './index/keep-index';
import type { CorpusOptions } from './options';
import type { Retrieved } from './finding/retrieve';
import { formatResponse, parseResponse } from './parse';

/** One index per folder and process, opened at the first question. */
const indexes = new Map<string, KeptIndex>();

/** A folder that is not there or may not be read is this worker's own lack: another one may have the documents. */
const unable = (why: string, cause?: unknown): ProviderError =>
  new ProviderError('not_called', `Not called: the worker's folder of documents (CORPUS_DIR) ${why}`, { charge: NO_CHARGE }, { cause });

/** Documents that hold nothing to read do so for every worker, so another try would only wait for the job's deadline. */
function without({ content }: CorpusIndex): ProviderError {
  const reasons = Map.groupBy(content.files, ({ skipped }) => skipped ?? '');
  if (reasons.size === 0) return unable('has no document that can be read: is its volume mounted?');
  const counted = Array.from(reasons, ([reason, files]) => `${reason} (${files.length} ${files.length === 1 ? 'file' : 'files'})`);
  const why = `has no document that can be read: ${counted.join('; ')}`;
  if (content.files.some(({ lack }) => lack === 'worker')) return unable(why);
  return new ProviderError('invalid_request', `The folder of documents (CORPUS_DIR) ${why}`, { charge: NO_CHARGE });
}

const MORE_BY_WORDS =
  'a model of what sentences mean cannot be run, so that answers from documents rest more on their words: see models/README.md for what it needs';

/** An answer by words alone is worth more than a late one. What was computed by then is kept for the next question. */
const PATIENCE_MS = 20_000;

/** Research in a folder of documents on this machine: no key, no network, no charge. */
export class CorpusProvider implements ResearchProvider {
  private readonly index: KeptIndex;
  /** Whether the log says already that meanings cannot be compared. */
  private isTold = false;

  constructor(
    folder: DocumentFolder,
    private readonly place: IndexPlace,
    private readonly options: CorpusOptions,
  ) {
    const key = JSON.stringify([folder, place.cacheFolder]);
    this.index = indexes.get(key) ?? new KeptIndex(folder, place);
    indexes.set(key, this.index);
  }

  async submit(request: ResearchRequest): Promise<RunState> {
    request.signal.throwIfAborted();
    const searchable = await this.index.open().catch((error: unknown) => {
      throw unable(`cannot be read (${errorCode(error)})`, error);
    });
    if (searchable.index.documents === 0) throw without(searchable.index);
    // Imported only now, because the data that tells verbs from nouns takes a fifth of a second to load.
    const { retrieve } = await import('./finding/retrieve.ts');
    request.signal.throwIfAborted();
    const retrieved = retrieve(searchable, request, this.options);
    return { state: 'finished', raw: formatResponse(await this.compared(retrieved, searchable, request)) };
  }

  /** With what models say of it, as far as they can be run in time. */
  private async compared(retrieved: Retrieved, { index }: SearchableCorpus, request: ResearchRequest): Promise<Retrieved> {
    const [{ compareMeanings }, { judgeRelevance }] = await Promise.all([import('./answer/likeness.ts'), import('./answer/relevant.ts')]);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]);
    let compared = retrieved;
    try {
      compared = await compareMeanings(retrieved, index, request, this.options, signal);
      return await judgeRelevance(compared, signal);
    } catch (error) {
      request.signal.throwIfAborted();
      if (!this.isTold) this.place.log.warn({ reason: String(error) }, MORE_BY_WORDS);
      this.isTold = true;
      return compared;
    }
  }

  /** A run ends within its submit, so there is never one to poll. */
  async poll(externalId: string): Promise<RunState> {
    throw new ProviderError('lost', `No run is known by the id ${externalId}`, { runEnded: true });
  }

  async cancel(): Promise<void> {}

  parse(raw: RawResponse): ResearchReport {
    return parseResponse(raw);
  }
}
