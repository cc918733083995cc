/** Whether the reader of a pipe has ended, or a terminal was closed. */
export const isReaderGone = (stream: NodeJS.WriteStream, { code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || (code === 'EIO' && stream.isTTY);

/** Whatever a command's own codes say, nobody can read what it found. */
const EXIT_UNWRITTEN = 3;

/**
 * Calls `tell` once nobody reads this command's output any more. Without a listener, the next written line would end the command and leave behind
 * what it started. Output that cannot be written, for example on a full disk, does not end it either; the exit code shows it.
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
  // Whatever the command says later.
  process.once('exit', () => (process.exitCode = EXIT_UNWRITTEN));
  process.stderr.write(`The output cannot be written: ${message}. Make room for it, and look at what was done before you repeat this.\n`);
}
