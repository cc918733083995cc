import { Worker } from 'node:worker_threads';

import { NotADocument } from './passages';
import { pdfText, type PdfText } from './pdf-chunks';

/** What the process that reads PDFs says of one; `refused` is why it is no document. */
export type PdfAnswer = { text: PdfText } | { refused: string };

/**
 * Ends the process once it takes too much memory: most of what a PDF inflates to lies outside of the heap that V8 bounds. Also once its parent is
 * gone, which a process that reads does not hear. It is a thread, since reading a PDF blocks the event loop.
 */
const WATCH = `
const { workerData: { parent, maxBytes } } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== parent || process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGKILL');
}, 50);
`;

async function answerTo(content: Uint8Array): Promise<PdfAnswer> {
  try {
    return { text: await pdfText(content) };
  } catch (error) {
    if (error instanceof NotADocument) return { refused: error.message };
    throw error;
  }
}

new Worker(WATCH, { eval: true, workerData: { parent: process.ppid, maxBytes: Number(process.argv[2]) } });
// A signal to the whole group is for the parent: otherwise the document that is being read would seem to have ended this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (content: Uint8Array) => void answerTo(content).then((answer) => process.send?.(answer)));
