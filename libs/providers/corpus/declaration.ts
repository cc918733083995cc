import type { Adapter } from '../adapter';
import { CorpusOptions } from './options';

export const corpus: Adapter<CorpusOptions> = {
  name: 'corpus',
  Options: CorpusOptions,
  origin: 'documents on this machine',
  citesDocuments: true,
  async create(options, { corpusDir, cacheFolder, log }) {
    const { CorpusProvider } = await import('./adapter.js');
    const { documentFolder } = await import('./folder/folder.js');
    return new CorpusProvider(documentFolder(corpusDir), { cacheFolder, log }, options);
  },
  async inspect({ corpusDir }) {
    const { inspectFolder } = await import('./folder/inspect-folder.js');
    return inspectFolder(corpusDir);
  },
};
