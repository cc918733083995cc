import type { Stream } from '../history/aggregates';
import type { AppendedEvent } from './unit';
import type { Writes } from './writes';

/** A committed batch: listeners dispatch its work, publish it and log it. They must not throw. */
export interface Commit {
  appended: readonly AppendedEvent[];
  agendaAdded: Writes['agendaAdded'];
  /** The streams that were appended to, as they are now. */
  streams: ReadonlyMap<string, Stream>;
  /** How many units were decided together, and how long the statement took, in milliseconds. */
  units: number;
  tookMs: number;
}

/** Threads that the commit deleted, and jobs whose content it erased. */
export const erasedIn = ({ appended }: Commit): string[] =>
  appended.flatMap(({ record: { type, streamId } }) => (type === 'ThreadDeleted' || type === 'ContentErased' ? [streamId] : []));
