import { Worker } from 'node:worker_threads';

import { docxText } from './docx-chunks';
import type { PackedFile } from './packed-file';
import { NotADocument, type DocumentText } from './passages';
import { pdfText } from './pdf-chunks';
import { xlsxText } from './xlsx-chunks';

/** What the process that reads packed files says of one; `refused` is why it is no document. */
export type ReaderAnswer = { text: DocumentText } | { refused: string };

/**
 * Ends the process once it takes too much memory: most of what a file inflates to lies outside of the heap that V8 bounds. Also once its parent is
 * gone, which a process that reads does not hear. It is a thread, since reading blocks the event loop.
 */
const WATCH = `
const { workerData: { parent, maxBytes } } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
}, 50);
`;

const READERS: Readonly<Record<PackedFile['format'], (content: Uint8Array) => Promise<DocumentText>>> = {
  pdf: pdfText,
  docx: docxText,
  xlsx: xlsxText,
};

async function answerTo({ format, content }: PackedFile): Promise<ReaderAnswer> {
  try {
    return { text: await READERS[format](content) };
  } catch (error) {
    if (error instanceof NotADocument) return { refused: error.message };
    throw error;
  }
}

new Worker(WATCH, { eval: true, workerData: { parent: process.ppid, maxBytes: Number(process.argv[2]) } });
// A signal to the whole group is for the parent: otherwise the document that is being read would seem to have ended this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (file: PackedFile) => void answerTo(file).then((answer) => process.send?.(answer)));
