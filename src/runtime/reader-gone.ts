/** Whether the reader of a pipe has ended, or a terminal was closed. */
export const isReaderGone = (stream: NodeJS.WriteStream, { code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || (code === 'EIO' && stream.isTTY);

/** Exit code of a command whose output cannot be written; it overrides the command's own codes, because nobody can read the result. */
const EXIT_UNWRITTEN = 3;

/**
 * Calls `tell` when nobody reads this command's output any more. Without a listener the next write would end the command and leave behind what it
 * started. Output that cannot be written, for example to a full disk, does not end it either, but sets its exit code.
 */
export function whenReaderGone(tell: () => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: Error) => {
      if (isReaderGone(stream, error)) tell();
      else if (stream === process.stdout) tellUnwritten(error);
    });
  }
}

let isTold = false;

function tellUnwritten({ message }: Error): void {
  if (isTold) return;
  isTold = true;
  // Overrides the code that the command sets later.
  process.once('exit', () => (process.exitCode = EXIT_UNWRITTEN));
  process.stderr.write(`The output cannot be written: ${message}. Make room for it, and look at what was done before you repeat this.\n`);
}
