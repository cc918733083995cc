import { Worker } from 'node:worker_threads';

import type { PackedFile } from './packed-file';
import { whyNoDocument, type DocumentText } from './passages';

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

/** Loads the reader of a format only now: those of Word and Excel take 0.1 seconds. */
async function textOf({ format, content }: PackedFile): Promise<DocumentText> {
  switch (format) {
    case 'pdf':
      return (await import('./pdf-chunks.js')).pdfText(content);
    case 'docx':
      return (await import('./docx-chunks.js')).docxText(content);
    case 'xlsx':
      return (await import('./xlsx-chunks.js')).xlsxText(content);
  }
}

async function answerTo(file: PackedFile): Promise<ReaderAnswer> {
  try {
    return { text: await textOf(file) };
  } catch (error) {
    return { refused: whyNoDocument(error) };
  }
}

new Worker(WATCH, { eval: true, workerData: { parent: process.ppid, maxBytes: Number(process.argv[2]) } });
// A signal to the whole group is for the parent: otherwise the document that is being read would seem to have ended this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (file: PackedFile) => void answerTo(file).then((answer) => process.send?.(answer)));
