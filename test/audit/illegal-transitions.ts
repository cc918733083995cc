import { JobAutomaton } from '@lib/audit/job-automaton';
import type { StoredRow } from '../support/histories';

/** The events of a job that may not follow what came before them. */
export function illegalTransitions(history: readonly StoredRow[]): string[] {
  const automaton = new JobAutomaton();
  return history.flatMap((event) =>
    automaton.take(event) ? [] : [`${event.streamId}/${event.version} ${event.type} is no legal step of the protocol`],
  );
}
