/** What went wrong, in words: an error's message, or whatever else was thrown. */
export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
