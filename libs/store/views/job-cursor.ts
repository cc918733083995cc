import { isId } from '@lib/domain/ids';
import { cursorFormat } from '../cursor-format';

/** The last job that a page looked at: the next page begins after it. */
export interface JobCursor {
  createdAt: Date;
  id: string;
}

const PLACE = /^(\d{1,15})\.(job_\w{26})$/;
const LATEST_MS = 8.64e15;

export const writeJobPlace = ({ createdAt, id }: JobCursor): string => `${createdAt.getTime()}.${id}`;

export function readJobPlace(text: string): JobCursor | undefined {
  const [, time, id = ''] = PLACE.exec(text) ?? [];
  const createdAt = new Date(Number(time));
  return isId('job', id) && createdAt.getTime() < LATEST_MS ? { createdAt, id } : undefined;
}

export const JOB_CURSORS = cursorFormat(writeJobPlace, readJobPlace);
