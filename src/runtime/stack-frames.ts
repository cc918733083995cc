/** Where an error was thrown, without its message, which may hold content or a secret; undefined for a value that is not an error. */
export const framesOf = (error: unknown): string[] | undefined =>
  error instanceof Error ? error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) : undefined;
