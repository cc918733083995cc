import { isId } from '@lib/domain/ids';

/** The last job that a page looked at: the next page begins after it. */
export interface JobCursor {
  createdAt: Date;
  id: string;
}

const CURSOR = /^(\d{1,15})\.(job_\w{26})$/;
const LATEST_MS = 8.64e15;

/** For clients it means nothing. */
export const textOfCursor = ({ createdAt, id }: JobCursor): string => Buffer.from(`${createdAt.getTime()}.${id}`).toString('base64url');

/** @returns undefined for a text that no page gave out */
export function cursorOf(text: string): JobCursor | undefined {
  const decoded = Buffer.from(text, 'base64url').toString('latin1');
  const [, time, id = ''] = CURSOR.exec(decoded) ?? [];
  const createdAt = new Date(Number(time));
  if (!isId('job', id) || !(createdAt.getTime() < LATEST_MS)) return undefined;
  const cursor = { createdAt, id };
  return textOfCursor(cursor) === text ? cursor : undefined;
}
