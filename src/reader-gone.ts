/** Whether the reader of a pipe has ended, or a terminal was closed. */
export const isReaderGone = (stream: NodeJS.WriteStream, { code }: NodeJS.ErrnoException): boolean =>
  code === 'EPIPE' || (code === 'EIO' && stream.isTTY);

/**
 * Calls `tell` when nobody reads this process's output any more. Without a listener the next write would end the process and leave behind what it
 * started.
 */
export function whenReaderGone(tell: () => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: Error) => {
      if (!isReaderGone(stream, error)) throw error;
      tell();
    });
  }
}
