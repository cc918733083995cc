import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { answeredInTime } from '../postgres/answer-within';
import { int4Array, textArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';
import type { EventView } from './event.view';
import { EVENT_COLUMNS, eventView, type EventRow } from './stored-rows';

/** Few enough that a slow client costs little memory. */
const PAGE_EVENTS = 32;

const READ = {
  name: 'event_pages',
  text: `select asked.id as job_id, asked.after, job.tenant_id, job.thread_id, job.version as job_version, completed_at is not null as is_final, ${EVENT_COLUMNS}
    from unnest($1::text[], $2::int[]) as asked (id, after) join job on job.id = asked.id join thread on thread.id = job.thread_id
    left join event on event.stream_id = job.id and event.version > asked.after and event.version <= asked.after + ${PAGE_EVENTS}
    order by event.version`,
};

interface Row extends EventRow {
  job_id: string;
  after: number;
  tenant_id: string;
  thread_id: string;
  job_version: number;
  is_final: boolean;
}

export interface EventPlace {
  tenantId: string;
  threadId: string;
  jobId: string;
  /** The version of the last event that the asker has; 0 for none. */
  after: number;
}

/** Some events of a job in order, and how far the job has come. */
export interface EventPage {
  events: EventView[];
  /** Of the job's last event. */
  version: number;
  isFinal: boolean;
}

/** Null if there is no such job, or it is another tenant's. */
export type ReadEventPage = (place: EventPlace) => Promise<EventPage | null>;

const nameOf = (jobId: string, after: number): string => `${jobId} ${after}`;

/** Reads the events after one. All readers that ask at the same time share a statement, and those that follow the same job share its rows. */
export function createEventPages(pool: Pool): ReadEventPage {
  const readTogether = async (places: EventPlace[]): Promise<(EventPage | null)[]> => {
    const asked = new Map(places.map((place) => [nameOf(place.jobId, place.after), place]));
    const values = [textArray([...asked.values()].map(({ jobId }) => jobId)), int4Array([...asked.values()].map(({ after }) => after))];
    const rows = await rowsOf<Row>(pool, { ...READ, values });
    const pages = new Map(
      [...Map.groupBy(rows, (row) => nameOf(row.job_id, row.after))].map(([name, found]) => [name, { found, page: pageOf(found) }]),
    );
    return places.map(({ tenantId, threadId, jobId, after }) => {
      const { found: [row] = [], page } = pages.get(nameOf(jobId, after)) ?? {};
      return page && row?.tenant_id === tenantId && row.thread_id === threadId ? page : null;
    });
  };
  return batch(readTogether, { maxItems: 64, width: 2, ...answeredInTime });
}

function pageOf(rows: readonly Row[]): EventPage {
  const [{ job_version: version = 0, is_final: isFinal = false } = {}] = rows;
  // A job without a later event comes as one row without an event.
  const events = rows.filter(({ event_id: eventId }) => (eventId as string | null) !== null).map(eventView);
  return { events, version, isFinal };
}
