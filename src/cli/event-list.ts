import type { JobEvent } from '@lib/domain/job/events';
import { upcast } from '@lib/store/history/upcasters';

interface ShownEvent {
  version: number;
  type: string;
  schemaVersion: number;
  facts: object;
}

/**
 * The whole history of a job from the response of its events route, upcast to today's schema versions.
 * @throws Error if it is something else, has gaps, or needs a newer build
 */
export function eventsIn(answer: string): JobEvent[] {
  const { events } = parsed(answer);
  if (!Array.isArray(events) || events.length === 0) throw notAHistory('it has no list of events');
  const history = events.map((event, place) => {
    if (isShownEvent(event) && event.version === place + 1) return event;
    throw notAHistory(`event ${place + 1} is missing or incomplete`);
  });
  if (history[0]?.type !== 'JobRequested') throw notAHistory('it does not begin with JobRequested');
  return history.map(({ type, schemaVersion, facts }) => upcast(type, schemaVersion, facts) as JobEvent);
}

export const notAHistory = (why: string, cause?: unknown): Error =>
  new Error(`Standard input is not what GET /v1/threads/<thread>/jobs/<job>/events answers: ${why}.`, { cause });

function parsed(answer: string): { events?: unknown } {
  try {
    return (JSON.parse(answer) ?? {}) as { events?: unknown };
  } catch (cause) {
    throw notAHistory('it is not JSON', cause);
  }
}

function isShownEvent(event: unknown): event is ShownEvent {
  const { version, type, schemaVersion, facts } = (event ?? {}) as Partial<ShownEvent>;
  const isNumbered = Number.isSafeInteger(version) && Number.isSafeInteger(schemaVersion);
  return isNumbered && typeof type === 'string' && typeof facts === 'object' && facts !== null;
}
