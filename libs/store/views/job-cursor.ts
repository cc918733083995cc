import { cursorFormat } from '../cursor-format';
import { readCreatedPlace, writeCreatedPlace, type CreatedPlace } from './created-place';

/** The last job that a page looked at: the next page begins after it. */
export type JobCursor = CreatedPlace;

export const JOB_CURSORS = cursorFormat<JobCursor>(writeCreatedPlace, (text) => readCreatedPlace('job', text));
