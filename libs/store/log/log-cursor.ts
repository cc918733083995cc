/** The last entry of the log that a page looked at: the next page begins after it. */
export interface LogCursor {
  index: number;
  /** The beginning of its leaf's hash, in hexadecimal digits: after a restore another entry may have its index. */
  leaf: string;
}

const CURSOR = /^(\d{1,15})\.([0-9a-f]{16})$/;

export const cursorAt = (index: number, leafHash: Buffer): LogCursor => ({ index, leaf: leafHash.toString('hex', 0, 8) });

/** For clients it means nothing. */
export const textOfLogCursor = ({ index, leaf }: LogCursor): string => Buffer.from(`${index}.${leaf}`).toString('base64url');

/** @returns undefined for a text that no page gave out */
export function logCursorOf(text: string): LogCursor | undefined {
  const [, index, leaf] = CURSOR.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (index === undefined || leaf === undefined) return undefined;
  const cursor = { index: Number(index), leaf };
  return textOfLogCursor(cursor) === text ? cursor : undefined;
}
