import { cursorFormat } from '../cursor-format';

/** The last entry of the log that a page looked at: the next page begins after it. */
export interface LogCursor {
  index: number;
  /** The beginning of its leaf's hash, in hexadecimal digits: after a restore another entry may have its index. */
  leaf: string;
}

const PLACE = /^(\d{1,15})\.([0-9a-f]{16})$/;

export const cursorAt = (index: number, leafHash: Buffer): LogCursor => ({ index, leaf: leafHash.toString('hex', 0, 8) });

export const LOG_CURSORS = cursorFormat<LogCursor>(
  ({ index, leaf }) => `${index}.${leaf}`,
  (text) => {
    const [, index, leaf] = PLACE.exec(text) ?? [];
    return index === undefined || leaf === undefined ? undefined : { index: Number(index), leaf };
  },
);
