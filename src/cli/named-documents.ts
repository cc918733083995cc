import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ADAPTERS } from '@lib/providers/registry';

const SUCH_AS = 'such as Markdown, HTML, PDF, Word or CSV files';

/**
 * The folder of documents that somebody names, as an absolute path.
 * @throws Error if nothing can be answered from it
 */
export async function namedDocuments(folder: string): Promise<string> {
  const path = resolve(folder);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new Error(`There is no folder ${path}: name one that holds documents, ${SUCH_AS}.`);
  if (!found.isDirectory()) throw new Error(`${path} is no folder: name the one that it lies in.`);
  for (const adapter of ADAPTERS) {
    const looked = await adapter.inspect?.({ corpusDir: path });
    if (looked && looked.remedy !== null)
      throw new Error(`Nothing can be answered: ${looked.detail}. Name a folder with documents, ${SUCH_AS}.`);
  }
  return path;
}
