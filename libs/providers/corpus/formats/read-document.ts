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
  const format = packedFormatOf(extension);
  if (format) return plain(await readerProcess.read({ format, content }));
  switch (extension) {
    case '.md':
    case '.markdown': {
      const chunks = markdownChunks(decode(content, false));
      return { title: firstHeading(chunks), chunks, format: 'markdown' };
    }
    case '.html':
    case '.htm':
      return plain(htmlText(decode(content, true)));
    case '.csv':
    case '.tsv':
      return plain({ title: undefined, chunks: csvChunks(decode(content, false), extension) });
    case '.rst':
      return plain({ title: undefined, chunks: rstChunks(decode(content, false)) });
    default:
      return plain({ title: undefined, chunks: textChunks(decode(content, false)) });
  }
}

const plain = ({ title, chunks }: DocumentText): ReadText => ({
  title: title ?? firstHeading(chunks),
  chunks: underQuestions(chunks),
  format: 'plain',
});

const firstHeading = (chunks: readonly Chunk[]): string | undefined => chunks.find(({ headings }) => headings[0])?.headings[0];
