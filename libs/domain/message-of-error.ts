/** The message of an error; anything else that was thrown, as text. */
export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));
