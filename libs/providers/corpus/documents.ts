import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

import { errorCode, listDocuments, type DocumentFolder, type SkippedFile } from './folder';
import { htmlText } from './html-chunks';
import { markdownChunks } from './markdown-sections';
import { gatherPassages, paragraphs, type Chunk, type Document, type Passage } from './passages';

/** All documents together, in bytes: the index of more would not fit into a worker's memory. */
const LARGEST_CORPUS = 128 * 1024 * 1024;

/** One document after the other; a file that is no document is a skipped one. */
export async function* readDocuments(folder: DocumentFolder): AsyncGenerator<{ passages: Passage[] } | SkippedFile> {
  const { paths, skipped } = await listDocuments(folder);
  yield* skipped;
  const seen = new Set<string>();
  let left = LARGEST_CORPUS;
  for (const path of paths) {
    const content = await readText(join(folder.path, path));
    const digest = 'text' in content ? createHash('sha256').update(content.text).digest('base64') : '';
    if ('reason' in content) {
      yield { path, reason: content.reason };
    } else if (seen.has(digest)) {
      yield { path, reason: 'another document has the same content' };
    } else if (content.text.length > left) {
      yield { path, reason: `all documents together are larger than ${LARGEST_CORPUS} bytes` };
    } else {
      left -= content.text.length;
      seen.add(digest);
      yield { passages: passagesOf(path, content.text) };
    }
  }
}

async function readText(file: string): Promise<{ text: string } | { reason: string }> {
  try {
    const content = await readFile(file);
    if (content.includes(0)) return { reason: 'it is binary' };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(content) };
  } catch (error) {
    const code = errorCode(error);
    return { reason: code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : `it cannot be read (${code})` };
  }
}

function passagesOf(path: string, text: string): Passage[] {
  const { title, chunks, format } = read(extname(path).toLowerCase(), text);
  const document: Document = { path, format, title: title ?? path.slice(path.lastIndexOf('/') + 1) };
  return gatherPassages(document, chunks);
}

function read(extension: string, text: string): { title: string | undefined; chunks: Chunk[]; format: Document['format'] } {
  switch (extension) {
    case '.md':
    case '.markdown': {
      const chunks = markdownChunks(text);
      return { title: chunks.find(({ headings }) => headings[0])?.headings[0], chunks, format: 'markdown' };
    }
    case '.html':
    case '.htm': {
      const { title, chunks } = htmlText(text);
      return { title: title ?? chunks.find(({ headings }) => headings[0])?.headings[0], chunks, format: 'plain' };
    }
    default:
      return { title: undefined, chunks: paragraphs(text), format: 'plain' };
  }
}
