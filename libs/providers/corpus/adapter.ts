import type { CorpusOptions } from '../provider-configuration';
import {
  ProviderError,
  type RawResponse,
  type ResearchProvider,
  type ResearchReport,
  type ResearchRequest,
  type RunState,
} from '../research-provider';
import { CorpusIndex } from './corpus-index';
import { errorCode, type DocumentFolder } from './folder';
import { formatResponse, parseResponse } from './parse';
import { retrieve } from './retrieve';

/** One index for each folder in this process, built when the first question comes. */
const indexes = new Map<string, Promise<CorpusIndex>>();

/** Research in a folder of documents on this machine: no key, no network, no charge. */
export class CorpusProvider implements ResearchProvider {
  readonly adapter = 'corpus';

  constructor(
    private readonly folder: DocumentFolder,
    private readonly options: CorpusOptions,
  ) {}

  async submit(request: ResearchRequest): Promise<RunState> {
    request.signal.throwIfAborted();
    const index = await indexOf(this.folder);
    request.signal.throwIfAborted();
    return { state: 'finished', raw: formatResponse(retrieve(index, request, this.options)) };
  }

  /** A run ends within its submit, so there is never one to look at. */
  async poll(externalId: string): Promise<RunState> {
    throw new ProviderError('lost', `No run is known by the id ${externalId}`, { runEnded: true });
  }

  async cancel(): Promise<void> {}

  parse(raw: RawResponse): ResearchReport {
    return parseResponse(raw);
  }
}

async function indexOf(folder: DocumentFolder): Promise<CorpusIndex> {
  const key = JSON.stringify(folder);
  const known = indexes.get(key) ?? CorpusIndex.build(folder);
  indexes.set(key, known);
  try {
    return await known;
  } catch (error) {
    indexes.delete(key);
    throw new ProviderError('unavailable', `The folder of documents cannot be read (${errorCode(error)})`, {}, { cause: error });
  }
}
