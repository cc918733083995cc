import { messageOfError } from '@lib/domain/message-of-error';

import type { Inspection } from '../../adapter';
import { READ_FORMATS } from '../formats/document-formats';
import { documentFolder, listDocuments } from './folder';

/** Lists the documents of a folder. Whether each of them can be read only shows when it is indexed. */
export async function inspectFolder(configured: string | undefined): Promise<Inspection> {
  const remedy = `Set CORPUS_DIR to a folder that holds documents: ${READ_FORMATS}.`;
  try {
    const { files, skipped } = await listDocuments(documentFolder(configured));
    const where = configured ?? 'the documentation of the installed packages';
    if (files.length === 0) return { detail: `there is no document in ${where}`, remedy };
    const leftOut = skipped.length > 0 ? `, ${skipped.length} files left out` : '';
    return { detail: `${files.length} files to read${leftOut}: ${where}`, remedy: null };
  } catch (error) {
    return { detail: messageOfError(error), remedy };
  }
}
