import { extname } from 'node:path';

import { underQuestions } from './asked-headings';
import { csvChunks } from './csv-chunks';
import { decode } from './decode';
import { htmlText } from './html-chunks';
import { markdownChunks } from './markdown-sections';
import { packedFormatOf } from './packed-file';
import { gatherPassages, type Chunk, type Document, type DocumentText, type Passage } from './passages';
import { readerProcess } from './reader-process';
import { rstChunks } from './rst-chunks';
import { textChunks } from './text-sections';

/** The passages of one document, in order. Throws `NotADocument`, and of a packed file what `ReaderProcess` throws. */
export async function readDocument(path: string, content: Buffer): Promise<{ document: Document; passages: Passage[] }> {
  const { title, chunks, format } = await read(extname(path).toLowerCase(), content);
  const document: Document = { path, format, title: title ?? path.slice(path.lastIndexOf('/') + 1) };
  return { document, passages: gatherPassages(document, chunks) };
}

type ReadText = DocumentText & Pick<Document, 'format'>;

async function read(extension: string, content: Buffer): Promise<ReadText> {
  const packed = packedFormatOf(extension);
  if (packed) {
    const { title, chunks } = await readerProcess.read({ format: packed, content });
    return { title: title ?? firstHeading(chunks), chunks: underQuestions(chunks), format: 'plain' };
  }
  switch (extension) {
    case '.md':
    case '.markdown': {
      const chunks = markdownChunks(decode(content, false));
      return { title: firstHeading(chunks), chunks, format: 'markdown' };
    }
    case '.html':
    case '.htm': {
      const { title, chunks } = htmlText(decode(content, true));
      return { title: title ?? firstHeading(chunks), chunks: underQuestions(chunks), format: 'plain' };
    }
    case '.csv':
    case '.tsv':
      return { title: undefined, chunks: csvChunks(decode(content, false), extension), format: 'plain' };
    case '.rst': {
      const chunks = rstChunks(decode(content, false));
      return { title: firstHeading(chunks), chunks: underQuestions(chunks), format: 'plain' };
    }
    default: {
      const chunks = textChunks(decode(content, false));
      return { title: firstHeading(chunks), chunks: underQuestions(chunks), format: 'plain' };
    }
  }
}

const firstHeading = (chunks: readonly Chunk[]): string | undefined => chunks.find(({ headings }) => headings[0])?.headings[0];
