import { inspectAdapters } from '@lib/providers/registry';
import { providersFile, type Start } from './process';

/**
 * A named folder must have documents if a provider that this worker serves answers from documents: otherwise every question would wait in vain for a
 * worker that has some. The installed packages always have documentation, and are not looked through at a start.
 * @throws Error
 */
export async function requireDocuments(start: Start): Promise<void> {
  const { CORPUS_DIR: corpusDir, WORKER_PROVIDERS: served } = start.env;
  if (corpusDir === undefined) return;
  const { providers } = providersFile(start);
  for (const { detail, remedy } of await inspectAdapters(
    served.map((provider) => providers[provider]),
    { corpusDir },
  ))
    if (remedy !== null) throw new Error(`The documents cannot be read: ${detail}. ${remedy}`);
}
